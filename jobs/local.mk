# jobs: example jobs, the reference of all keys, scripts.
