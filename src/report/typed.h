/*
 * What two typed commands show.
 */
#ifndef PAWL_REPORT_TYPED_H
#define PAWL_REPORT_TYPED_H

struct report_options;
struct result;
struct strbuf;

/*
 * For a terminal: which is faster, by how much and how sure, then a line of numbers for each command. RESULT is of scenarios
 * that are commands, each in pairs, judged by its first gate; the base of all is one where they have one label.
 */
void report_typed(const struct result *result, const struct report_options *options, struct strbuf *out);
/* As hyperfine's --export-json and --export-markdown: times in seconds, per run or mean of adjacent runs. */
void report_typed_json(const struct result *result, const struct report_options *options, struct strbuf *out);
void report_typed_markdown(const struct result *result, const struct report_options *options, struct strbuf *out);

#endif
