/*
 * A machine as JSON. Baselines keep the stable facts only and refuse unknown keys; results keep
 * all of it, with the class, which is derived and not read.
 */
#ifndef PAWL_GATE_MACHINE_JSON_H
#define PAWL_GATE_MACHINE_JSON_H

#include "gate/json_fields.h"
#include "model/machine.h"

extern const struct json_codec machine_codec_stable, machine_codec;	/* struct machine */
/* Writes the class that a struct machine's parts make; reads nothing. */
extern const struct json_codec machine_codec_class;

/* OBJECT's "class" must be the one that MACHINE's parts make. */
int machine_json_check_class(const struct json *object, const struct machine *machine, struct error *err);

#endif
