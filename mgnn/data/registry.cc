#include "mgnn/data/registry.h"

#include <algorithm>
#include <cctype>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/checksums.h"
#include "mgnn/data/chem2bio2rdf.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/geom_gcn.h"
#include "mgnn/data/hetnet.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/linqs.h"
#include "mgnn/data/load.h"
#include "mgnn/data/node_table.h"
#include "mgnn/data/planetoid.h"
#include "mgnn/data/tu.h"
#include "mgnn/io/numpy.h"

namespace mgnn {
namespace {

constexpr const char* kPlanetoid = "https://github.com/kimiyoung/planetoid/raw/master/data/";
constexpr const char* kGeomGcn =
    "https://raw.githubusercontent.com/graphdml-uiuc-jlu/geom-gcn/master/";
constexpr const char* kTu = "https://www.chrsmrrs.com/graphkerneldatasets/";
constexpr const char* kSnap = "https://snap.stanford.edu/data/";
constexpr const char* kHetionet = "https://github.com/hetio/hetionet/raw/main/hetnet/tsv/";

constexpr const char* kHeterophilous =
    "https://raw.githubusercontent.com/yandex-research/heterophilous-graphs/main/data/";
constexpr const char* kStruc2vec =
    "https://raw.githubusercontent.com/leoribeiro/struc2vec/master/graph/";

void add_file(DatasetEntry& entry, const std::string& path, const std::string& url) {
  entry.files.push_back({path, url, known_sha256(entry.folder + "/" + path), false});
}

void add_geom_splits(DatasetEntry& entry, const std::string& folder, const std::string& name) {
  for (int i = 0; i < 10; i++) {
    const std::string file = fmt::format("{}_split_0.6_0.2_{}.npz", name, i);
    add_file(entry, folder + "/" + file, fmt::format("{}splits/{}", kGeomGcn, file));
  }
}

// Gives the dataset the name it was asked for by.
template <Dataset (*Load)(const std::string&)>
Dataset load_as(const DatasetEntry& entry, const std::string& folder, const LoadOptions&) {
  Dataset dataset = Load(folder);
  dataset.name = entry.name;
  return dataset;
}

// ---- one maker for each layout

DatasetEntry planetoid_entry(const std::string& name, const std::string& folder,
                             const std::string& summary) {
  DatasetEntry entry;
  entry.name = name;
  entry.task = "node";
  entry.summary = summary;
  entry.citation =
      "Yang, Cohen, Salakhutdinov. Revisiting Semi-Supervised Learning with Graph Embeddings. ICML "
      "2016; Sen et al. Collective Classification in Network Data. AI Magazine 2008";
  entry.folder = "planetoid/" + folder;
  add_geom_splits(entry, "geom_splits", name);
  for (const char* part : {"x", "tx", "allx", "y", "ty", "ally", "test.index", "graph"}) {
    const std::string file = fmt::format("ind.{}.{}", name, part);
    add_file(entry, file, kPlanetoid + file);
  }
  entry.present = [](const DatasetEntry& e, const std::string& where) {
    return std::all_of(e.files.begin(), e.files.end(), [&](const RemoteFile& file) {
      return !file.path.starts_with("ind.") || !find_file(where, file.path).empty();
    });
  };
  entry.load = load_as<load_planetoid>;
  return entry;
}

DatasetEntry geom_gcn_entry(const std::string& name, const std::string& summary) {
  DatasetEntry entry;
  entry.name = name;
  entry.task = "node";
  entry.summary = summary;
  entry.citation = "Pei et al. Geom-GCN: Geometric Graph Convolutional Networks. ICLR 2020";
  entry.folder = "geom-gcn/" + name;
  entry.classes = 5;
  add_geom_splits(entry, "splits", name);
  for (const char* file : {"out1_graph_edges.txt", "out1_node_feature_label.txt"})
    add_file(entry, file, fmt::format("{}new_data/{}/{}", kGeomGcn, name, file));
  entry.present = [](const DatasetEntry&, const std::string& where) {
    return is_geom_gcn_folder(where);
  };
  entry.load = load_as<load_geom_gcn>;
  return entry;
}

DatasetEntry heterophilous_entry(const std::string& name, const std::string& file,
                                 const std::string& summary) {
  DatasetEntry entry;
  entry.name = name;
  entry.task = "node";
  entry.summary = summary;
  entry.citation =
      "Platonov et al. A critical look at the evaluation of GNNs under heterophily: Are we really "
      "making progress? ICLR 2023";
  entry.folder = "heterophilous";
  add_file(entry, file, kHeterophilous + file);
  entry.present = [](const DatasetEntry& e, const std::string& where) {
    return !find_file(where, e.files[0].path).empty();
  };
  entry.load = [](const DatasetEntry& e, const std::string& where, const LoadOptions&) {
    const std::string path = need_file(where, e.files[0].path);
    Dataset dataset = platonov_dataset(read_npz(path), path);
    dataset.name = e.name;
    return dataset;
  };
  return entry;
}

DatasetEntry airports_entry(const std::string& name, const std::string& summary) {
  DatasetEntry entry;
  entry.name = name;
  entry.task = "node";
  entry.summary = summary;
  entry.citation =
      "Ribeiro, Saverese, Figueiredo. struc2vec: Learning Node Representations from Structural "
      "Identity. KDD 2017";
  entry.folder = "struc2vec";
  for (const std::string& file : {"labels-" + name + ".txt", name + ".edgelist"})
    add_file(entry, file, kStruc2vec + file);
  entry.present = [](const DatasetEntry& e, const std::string& where) {
    return std::all_of(e.files.begin(), e.files.end(), [&](const RemoteFile& file) {
      return !find_file(where, file.path).empty();
    });
  };
  entry.load = [](const DatasetEntry& e, const std::string& where, const LoadOptions&) {
    Dataset dataset = dataset_of_edges(read_edge_list(need_file(where, e.files[1].path)), e.name,
                                       {.symmetrise = true});
    join_node_table(dataset, need_file(where, e.files[0].path));
    return dataset;
  };
  return entry;
}

DatasetEntry snap_entry(const std::string& name, const std::string& file,
                        const std::string& summary, const std::string& citation) {
  DatasetEntry entry;
  entry.name = name;
  entry.task = "link";
  entry.summary = summary;
  entry.citation = citation;
  entry.folder = "snap";
  entry.files = {{file + ".gz", kSnap + file + ".gz", "", false}};
  entry.present = [](const DatasetEntry& e, const std::string& where) {
    return !find_file(where, without_compression_suffix(e.files[0].path)).empty();
  };
  entry.load = [](const DatasetEntry& e, const std::string& where, const LoadOptions&) {
    const std::string path = need_file(where, without_compression_suffix(e.files[0].path));
    return dataset_of_edges(read_edge_list(path), e.name);
  };
  return entry;
}

DatasetEntry cora_directed_entry() {
  DatasetEntry entry;
  entry.name = "cora-directed";
  entry.task = "node";
  entry.summary = "citations among papers on machine learning, as directed arcs";
  entry.citation = "Sen et al. Collective Classification in Network Data. AI Magazine 2008 (LINQS)";
  entry.folder = "linqs/cora";
  entry.files = {{"cora.tgz", "https://linqs-data.soe.ucsc.edu/public/lbc/cora.tgz", "", true}};
  entry.nodes = 2708, entry.arcs = 5429, entry.features = 1433, entry.classes = 7;
  entry.present = [](const DatasetEntry&, const std::string& where) {
    return !linqs_name(where).empty();
  };
  entry.load = load_as<load_linqs>;
  return entry;
}

DatasetEntry hetionet_entry() {
  DatasetEntry entry;
  entry.name = "hetionet";
  entry.task = "link";
  entry.summary = "genes, diseases, compounds and their relations (Hetionet v1.0)";
  entry.citation =
      "Himmelstein et al. Systematic integration of biomedical knowledge prioritizes drugs for "
      "repurposing. eLife 2017";
  entry.folder = "hetionet";
  for (const char* file : {"hetionet-v1.0-nodes.tsv", "hetionet-v1.0-edges.sif.gz"})
    add_file(entry, file, fmt::format("{}{}", kHetionet, file));
  entry.nodes = 47031, entry.classes = 11;
  entry.present = [](const DatasetEntry&, const std::string& where) {
    return is_hetnet_folder(where);
  };
  entry.load = load_as<load_hetnet>;
  return entry;
}

DatasetEntry chem2bio2rdf_entry() {
  DatasetEntry entry;
  entry.name = "chem2bio2rdf";
  entry.task = "node";
  entry.summary = "compounds, genes, pathways, diseases and their relations";
  entry.citation =
      "Chen et al. Chem2Bio2RDF: a semantic framework for linking and data mining chemogenomic and "
      "systems chemical biology data. BMC Bioinformatics 2010; files of Chen et al. Motif Graph "
      "Neural Network. TNNLS 2023";
  entry.folder = "chem2bio2rdf";
  entry.files = {{"raw.7z",
                  "https://github.com/DMIRLAB-Group/MGNN/raw/HEAD/data/NodeMGNN_DATA/chem2bio2rdf/"
                  "raw.7z",
                  "", true}};
  entry.nodes = 295911, entry.classes = 10;
  entry.present = [](const DatasetEntry&, const std::string& where) {
    return !find_chem2bio2rdf(where).empty();
  };
  entry.load = load_as<load_chem2bio2rdf>;
  return entry;
}

DatasetEntry embedded_entry(const std::string& name, const std::string& task,
                            const std::string& summary, const std::string& citation = "") {
  DatasetEntry entry;
  entry.name = name;
  entry.task = task;
  entry.summary = summary;
  entry.citation = citation;
  entry.embedded = true;
  return entry;
}

DatasetEntry sized(DatasetEntry entry, int64_t nodes, int64_t arcs, int64_t features,
                   int64_t classes, int64_t graphs = 0) {
  entry.nodes = nodes;
  entry.arcs = arcs;
  entry.features = features;
  entry.classes = classes;
  entry.graphs = graphs;
  return entry;
}

DatasetEntry named_tu(const std::string& name, const std::string& set, const std::string& summary) {
  DatasetEntry entry = tu_entry(set);
  entry.name = name;
  entry.summary = summary;
  return entry;
}

std::vector<DatasetEntry> make_entries() {
  std::vector<DatasetEntry> all;
  all.push_back(sized(planetoid_entry("cora", "Cora", "citations among papers on machine learning"),
                      2708, 10556, 1433, 7));
  all.push_back(sized(planetoid_entry("citeseer", "CiteSeer",
                                      "citations among computer science "
                                      "papers"),
                      3327, 9104, 3703, 6));
  all.push_back(sized(planetoid_entry("pubmed", "PubMed", "citations among papers on diabetes"),
                      19717, 88648, 500, 3));
  all.push_back(cora_directed_entry());
  all.push_back(sized(geom_gcn_entry("cornell", "web pages of a university (with Texas's labels)"),
                      183, 295, 1703, 5));
  all.push_back(sized(geom_gcn_entry("texas", "web pages of a university"), 183, 309, 1703, 5));
  all.push_back(sized(geom_gcn_entry("wisconsin", "web pages of a university"), 251, 0, 1703, 5));
  all.push_back(
      sized(geom_gcn_entry("chameleon", "Wikipedia pages on chameleons"), 2277, 36051, 2325, 5));
  all.push_back(
      sized(geom_gcn_entry("squirrel", "Wikipedia pages on squirrels"), 5201, 0, 2089, 5));
  all.push_back(
      sized(geom_gcn_entry("film", "actors on the same Wikipedia pages"), 7600, 0, 932, 5));
  all.push_back(sized(heterophilous_entry("chameleon-filtered", "chameleon_filtered_directed.npz",
                                          "Wikipedia pages on chameleons without duplicates"),
                      890, 13534, 2325, 5));
  all.push_back(sized(heterophilous_entry("squirrel-filtered", "squirrel_filtered_directed.npz",
                                          "Wikipedia pages on squirrels without duplicates"),
                      2223, 65578, 2089, 5));
  all.push_back(sized(
      heterophilous_entry("minesweeper", "minesweeper.npz", "cells of a grid, with mines or not"),
      10000, 78804, 7, 2));
  all.push_back(sized(heterophilous_entry("tolokers", "tolokers.npz",
                                          "crowd workers of the same projects, banned or not"),
                      11758, 1038000, 10, 2));
  all.push_back(sized(heterophilous_entry("roman-empire", "roman_empire.npz",
                                          "words of an article, by syntactic role"),
                      22662, 65854, 300, 18));
  all.push_back(sized(heterophilous_entry("amazon-ratings", "amazon_ratings.npz",
                                          "products bought together, by rating"),
                      24492, 186100, 300, 5));
  all.push_back(sized(heterophilous_entry("questions", "questions.npz",
                                          "users of a forum, active in the end or not"),
                      48921, 307080, 301, 2));
  all.push_back(
      sized(airports_entry("usa-airports", "airports of the USA, by activity"), 1190, 27198, 0, 4));
  all.push_back(sized(airports_entry("europe-airports", "airports of Europe, by activity"), 399,
                      11986, 0, 4));
  all.push_back(
      sized(airports_entry("brazil-airports", "airports of Brazil, by activity"), 131, 2006, 0, 4));
  all.push_back(chem2bio2rdf_entry());
  all.push_back(hetionet_entry());
  all.push_back(
      sized(named_tu("mutag", "MUTAG", "molecules, mutagenic or not"), 3371, 7442, 7, 2, 188));
  all.push_back(sized(named_tu("enzymes", "ENZYMES", "proteins of six enzyme classes"), 19580,
                      74564, 21, 6, 600));
  all.push_back(sized(named_tu("aids", "AIDS", "molecules, active against HIV or not"), 31385,
                      64780, 42, 2, 2000));
  all.push_back(sized(
      snap_entry("wiki-vote", "wiki-Vote.txt", "votes for administrators of Wikipedia",
                 "Leskovec, Huttenlocher, Kleinberg. Signed Networks in Social Media. CHI 2010"),
      7115, 103689, 0, 0));
  all.push_back(sized(
      snap_entry("soc-epinions1", "soc-Epinions1.txt", "who trusts whom on Epinions",
                 "Richardson, Agrawal, Domingos. Trust Management for the Semantic Web. ISWC 2003"),
      75879, 508837, 0, 0));
  all.push_back(sized(
      embedded_entry(
          "karate", "node", "friendships in a karate club that split in two",
          "Zachary. An Information Flow Model for Conflict and Fission in Small Groups. 1977"),
      34, 156, 34, 2));
  all.push_back(
      sized(embedded_entry("roles", "node", "a node's class is its role in planted motifs"), 1800,
            7200, 8, 4));
  all.push_back(
      sized(embedded_entry("triads", "graph", "graphs of equal degrees and different motifs"), 0, 0,
            1, 3, 300));
  all.push_back(embedded_entry("toykg", "link", "a small knowledge graph with a hidden rule"));
  return all;
}

}  // namespace

const std::vector<DatasetEntry>& dataset_entries() {
  static const std::vector<DatasetEntry> entries = make_entries();
  return entries;
}

DatasetEntry tu_entry(const std::string& name) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  check(!name.empty() && std::all_of(name.begin(), name.end(), allowed),
        "{} is not the name of a set of the TU collection", in_quotes(name));
  DatasetEntry entry;
  entry.name = name;
  entry.task = "graph";
  entry.summary = "set of the TU collection";
  entry.citation =
      "Morris et al. TUDataset: A collection of benchmark datasets for learning with graphs. 2020";
  entry.folder = "tu/" + name;
  entry.files = {{name + ".zip", kTu + name + ".zip", "", true}};
  // The set's own name is the folder's, whatever the entry is called.
  entry.present = [](const DatasetEntry& e, const std::string& where) {
    return !find_tu_folder(where, last_name(e.folder)).empty();
  };
  entry.load = [](const DatasetEntry& e, const std::string& where, const LoadOptions& options) {
    Dataset dataset = load_tu(where, last_name(e.folder), options.target_column);
    dataset.name = e.name;
    return dataset;
  };
  return entry;
}

const std::vector<std::string>& tu_names() {
  static const std::vector<std::string> names = {"BZR",
                                                 "BZR_MD",
                                                 "COIL-DEL",
                                                 "COIL-RAG",
                                                 "COLLAB",
                                                 "COLORS-3",
                                                 "COX2",
                                                 "COX2_MD",
                                                 "Cuneiform",
                                                 "DBLP_v1",
                                                 "DD",
                                                 "DHFR",
                                                 "DHFR_MD",
                                                 "ER_MD",
                                                 "FIRSTMM_DB",
                                                 "FRANKENSTEIN",
                                                 "Fingerprint",
                                                 "IMDB-BINARY",
                                                 "IMDB-MULTI",
                                                 "KKI",
                                                 "Letter-high",
                                                 "Letter-low",
                                                 "Letter-med",
                                                 "MSRC_21",
                                                 "MSRC_21C",
                                                 "MSRC_9",
                                                 "Mutagenicity",
                                                 "NCI1",
                                                 "NCI109",
                                                 "OHSU",
                                                 "PROTEINS",
                                                 "PROTEINS_full",
                                                 "PTC_FM",
                                                 "PTC_FR",
                                                 "PTC_MM",
                                                 "PTC_MR",
                                                 "Peking_1",
                                                 "REDDIT-BINARY",
                                                 "REDDIT-MULTI-12K",
                                                 "REDDIT-MULTI-5K",
                                                 "SYNTHETIC",
                                                 "SYNTHETICnew",
                                                 "Synthie",
                                                 "TRIANGLES",
                                                 "deezer_ego_nets",
                                                 "facebook_ct1",
                                                 "facebook_ct2",
                                                 "github_stargazers",
                                                 "reddit_threads",
                                                 "twitch_egos"};
  return names;
}

std::optional<DatasetEntry> find_dataset_entry(const std::string& name) {
  if (name.starts_with("tu:")) return tu_entry(name.substr(3));
  for (const DatasetEntry& entry : dataset_entries())
    if (entry.name == lower(name)) return entry;
  for (const std::string& known : tu_names())
    if (lower(known) == lower(name)) return tu_entry(known);
  return std::nullopt;
}

}  // namespace mgnn
