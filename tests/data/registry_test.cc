#include "mgnn/data/registry.h"

#include <set>

#include "mgnn/base/sha256.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/load.h"
#include "mgnn/data/locate.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::data_dir, testing::error_of;

TEST(Registry, HasEveryNamedDataset) {
  for (const char* name : {"cora",
                           "citeseer",
                           "pubmed",
                           "cora-directed",
                           "mutag",
                           "enzymes",
                           "aids",
                           "cornell",
                           "texas",
                           "wisconsin",
                           "chameleon",
                           "squirrel",
                           "film",
                           "chem2bio2rdf",
                           "hetionet",
                           "wiki-vote",
                           "soc-epinions1",
                           "karate",
                           "roles",
                           "triads",
                           "toykg",
                           "chameleon-filtered",
                           "squirrel-filtered",
                           "minesweeper",
                           "tolokers",
                           "roman-empire",
                           "amazon-ratings",
                           "questions",
                           "usa-airports",
                           "europe-airports",
                           "brazil-airports"}) {
    const auto entry = find_dataset_entry(name);
    ASSERT_TRUE(entry) << name;
    EXPECT_EQ(entry->name, name);
  }
  EXPECT_EQ(dataset_entries().size(), 31u);
}

TEST(Registry, EntriesAreComplete) {
  std::set<std::string> names;
  for (const DatasetEntry& entry : dataset_entries()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_TRUE(entry.task == "node" || entry.task == "graph" || entry.task == "link");
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(entry.embedded, entry.files.empty());
    EXPECT_EQ(entry.embedded, entry.load == nullptr);
    EXPECT_EQ(entry.embedded, entry.present == nullptr);
    if (entry.embedded) continue;
    EXPECT_FALSE(entry.citation.empty());
    EXPECT_GT(entry.nodes, 0);
    for (const RemoteFile& file : entry.files) {
      EXPECT_TRUE(file.url.starts_with("https://")) << file.url;
      EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64) << file.path;
      EXPECT_EQ(file.path.find(".."), std::string::npos);
    }
  }
}

TEST(Registry, FindsNamesInAnyCaseAndTuSets) {
  EXPECT_EQ(find_dataset_entry("CORA")->name, "cora");
  EXPECT_EQ(find_dataset_entry("proteins")->folder, "tu/PROTEINS");
  EXPECT_EQ(find_dataset_entry("tu:Whatever_1")->files[0].url,
            "https://www.chrsmrrs.com/graphkerneldatasets/Whatever_1.zip");
  EXPECT_FALSE(find_dataset_entry("no-such-thing"));
  for (const char* name : {"tu:", "tu:../x", "tu:a/b", "tu:a b"})
    EXPECT_NE(error_of([&] { find_dataset_entry(name); }).find("is not the name of a set"),
              std::string::npos);
}

// The sums are those of the copies here, which equal the public files.
TEST(Registry, ClaimsTheSumsOfTheRealFiles) {
  MGNN_NEEDS_DATA();
  int checked = 0;
  for (const DatasetEntry& entry : dataset_entries()) {
    const auto folder = dataset_folder(entry, {.data_dir = data_dir()});
    if (!folder || entry.embedded) continue;
    for (const RemoteFile& file : entry.files) {
      const std::string path = find_file(*folder, file.path);
      if (file.sha256.empty() || path.empty()) continue;
      EXPECT_EQ(sha256_of(read_bytes(path).view()), file.sha256) << path;
      checked++;
    }
  }
  EXPECT_EQ(checked, 90);  // 3 x (8 + 10) of Planetoid, 3 x (2 + 10) of geom-gcn
}

}  // namespace
}  // namespace mgnn
