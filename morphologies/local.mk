# morphologies: the six classes of the papers, generated; tiny ones for tests.
