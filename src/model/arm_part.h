/* The names of arm64's cores, which identify themselves by numbers only. */
#ifndef PAWL_MODEL_ARM_PART_H
#define PAWL_MODEL_ARM_PART_H

/*
 * The name of PART as made by IMPLEMENTER, "arm-0x41-0xd99" when it is not known. SYS_VENDOR (or
 * NULL) is the firmware's. For free().
 */
char *arm_part_name(unsigned implementer, unsigned part, const char *sys_vendor);

#endif
