/*
 * Reports of typed commands.
 */
#ifndef PAWL_REPORT_TYPED_H
#define PAWL_REPORT_TYPED_H

struct report_options;
struct result;
struct strbuf;

/*
 * For a terminal: which command is faster, by how much and how certain, then a line of numbers per command. The
 * scenarios of RESULT are commands measured in pairs and judged by their first gate. Bases with the same label are
 * one command.
 */
void report_typed(const struct result *result, const struct report_options *options, struct strbuf *out);
/* The formats of hyperfine's --export-json and --export-markdown: times in seconds, per run or mean of adjacent runs. */
void report_typed_json(const struct result *result, const struct report_options *options, struct strbuf *out);
void report_typed_markdown(const struct result *result, const struct report_options *options, struct strbuf *out);

#endif
