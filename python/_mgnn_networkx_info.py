"""What networkx asks of a backend before it is used; imports nothing."""


def get_info():
    functions = ("average_clustering", "clustering", "generalized_degree", "reciprocity",
                 "transitivity", "triadic_census", "triangles")
    return {
        "backend_name": "mgnn",
        "project": "mgnn",
        "package": "mgnn",
        "short_summary": "Triad census, triangles and clustering by one pass over the triangles",
        "functions": {name: {} for name in functions},
    }
