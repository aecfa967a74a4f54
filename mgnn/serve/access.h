// Who may ask: tokens, hosts, origins, and how a request must be framed.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mgnn {

using Headers =
    std::vector<std::pair<std::string, std::string>>;  // as they came, repeated ones too

enum class Access { open, token, admin };

struct AccessRules {
  std::string token = {};               // empty: none is needed
  std::string admin_token = {};         // empty: nobody is an administrator
  std::vector<std::string> hosts = {};  // names that this server is known by, beside localhost and
                                        // addresses in numbers
};

// The only header of that name, or "". Throws HttpError (400) if there are several.
std::string_view only_header(const Headers& headers, std::string_view name);

// Throws HttpError (400, 411) unless where the request ends is beyond doubt: one length, in digits, no
// transfer coding.
void check_framing(const Headers& headers);
// Throws HttpError (403) if the Host is not one of this server, or a page of another origin asks.
void check_origin(const Headers& headers, const AccessRules& rules);
// Throws HttpError (401, 403).
void check_token(const Headers& headers, Access needed, const AccessRules& rules);
// Throws HttpError (415).
void check_content_type(const Headers& headers);

// Takes the same time for any two texts of a length.
bool equal_in_constant_time(std::string_view a, std::string_view b);

std::string random_token();  // 32 letters and digits, from the system's generator
// The first line. Throws Error (usage) if it is shorter than 16 characters or holds others than
// those that a header may have.
std::string read_token(const std::string& path);
// Whether others than the owner may read it.
bool is_readable_by_others(const std::string& path);

bool is_loopback(const std::string& host);

}  // namespace mgnn
