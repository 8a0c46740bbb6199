/*
 * Single lines of `perf script` taken apart: the header of a sample, a frame, a record. What they give points
 * into the line; nothing is copied, nothing changed.
 */
#ifndef PAWL_PROFILE_SCRIPT_LINE_H
#define PAWL_PROFILE_SCRIPT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
	const char *text;
	size_t len;
};

enum script_tail {
	TAIL_CHAIN,	/* nothing stands behind the event: frames follow, then an empty line */
	TAIL_FRAME,	/* "ip symbol (dso)": all there is of this sample */
	TAIL_OTHER,	/* a tracepoint's fields, an address: frames may follow */
};

struct script_header {
	struct span comm, event;
	uint64_t period;	/* 1 when the text has none */
	enum script_tail tail;
	struct span frame;	/* TAIL_FRAME */
};

/* "COMM [PID[/TID]] [[CPU]] [MODE] TIME: [PERIOD] EVENT: [TAIL]", from the right; false when it is no header. */
bool script_header(struct span line, struct script_header *out);

/* What a line is that stands below a header, and no header itself. */
enum script_line {
	LINE_FRAME,		/* behind a tab, or blanks that were one */
	LINE_ADDRESS,		/* such a line with an address and nothing else: there is no -F sym */
	LINE_SOURCE,		/* two blanks: where the frame above stands in its source (-F srcline) */
	LINE_INSTRUCTION,	/* a blank, "insn:" or "ilen:": what ends the sample in place of an empty line (-F insn, insnlen) */
	LINE_NO_FRAME,		/* nothing of a sample */
};
enum script_line script_line_below(struct span line);
/* The fields of perf script -F without which LINE stands where a header is expected, "time"; NULL: it is something else. */
const char *script_missing_fields(struct span line);

struct script_frame {
	struct span name;	/* "[unknown]" when there is none */
	struct span dso;	/* "[unknown]" when there is none, "inlined" for what has no file of its own */
};

/* "[IP] SYMBOL[+0xOFFSET] [(DSO)]", blanks before it skipped. Any text is a frame. */
void script_frame(struct span text, struct script_frame *out);
/* Whether a frame's address is in the half of the address space that Linux keeps for itself, on 64 bits. */
bool script_kernel_address(struct span frame);

/* "... TIME: PERF_RECORD_NAME ...": a record that is no sample; RECORD_OUT is from PERF_RECORD on. */
bool script_record(struct span line, struct span *record_out);
/* How many samples such a record tells of as lost; 0: of none. */
uint64_t script_record_lost(struct span record, bool *samples_out);

#endif
