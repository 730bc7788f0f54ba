"""connections.py - figures of a network that came out (output.network)."""
import figures as fig
import results as shared

MOST = 6  # projections that are drawn


class Network:
    """The connections of a result: [connections] each."""

    def __init__(self, results):
        np = shared.np
        self.names = str(results.attribute(
            "connection_projection", "flag_meanings")).split()
        self.projection = np.asarray(results.read("connection_projection"))
        self.target = np.asarray(results.read("connection_target"))
        self.weight = np.asarray(results.read("connection_weight"))

    def indegrees(self, p):
        """Of the targets of a projection that have a connection."""
        mine = shared.np.bincount(self.target[self.projection == p])
        return mine[mine > 0]


def histogram(values, width, label, unit_bins):
    """values: [(name, colour number, numbers)]."""
    np = shared.np
    low = min(v.min() for _, _, v in values)
    high = max(v.max() for _, _, v in values)
    if unit_bins and high - low < 60:
        edges = np.arange(low - 0.5, high + 1)
    else:
        edges = np.linspace(low, high if high > low else low + 1, 41)
    figure, axes = fig.blank(width, 240)
    axes = axes[0, 0]
    for name, colour, numbers in values:
        count, _ = np.histogram(numbers, edges)
        share = count / len(numbers) * 100
        axes.stairs(share, edges, lw=1.2, color=shared.colour_of(colour),
                    label=shared.cut(name))
        axes.stairs(share, edges, fill=True, alpha=0.18,
                    color=shared.colour_of(colour))
    axes.set_ylim(0, None)
    axes.set_xlabel(label)
    axes.set_ylabel("share (%)")
    if len(values) > 1:
        axes.legend()
    return figure


def figures(results):
    """In-degrees and weights; none where the network did not come out."""
    if "connection_target" not in results:
        return []
    network = Network(results)
    shown = [p for p in shared.choose(range(len(network.names)), MOST)
             if (network.projection == p).any()]
    if not shown:
        return []
    degrees = [(network.names[p], p, network.indegrees(p)) for p in shown]
    weights = [(network.names[p], p, network.weight[network.projection == p])
               for p in shown]
    some = "" if len(shown) == len(network.names) else \
        f" {len(shown)} of {len(network.names)} projections are shown."
    words = ", ".join(f"{n} {fig.number(d.mean())} ({d.min()} to {d.max()})"
                      for n, _, d in degrees)
    return [
        fig.Figure("indegrees", "In-degrees",
                   "Connections of a projection onto each target that has any: "
                   f"{words}.{some}", f"Histogram of in-degrees: {words}",
                   lambda width: histogram(degrees, width,
                                           "connections onto a target", True)),
        fig.Figure("weights", "Weights",
                   f"Weights of all connections of a projection.{some}",
                   "Histogram of weights", lambda width: histogram(
                       weights, width, "weight (uS)", False))]
