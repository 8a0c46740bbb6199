/* The two sides of a comparison, as the index of an array: what is compared with, and what is judged. */
#ifndef PAWL_MODEL_SIDE_H
#define PAWL_MODEL_SIDE_H

enum { BASE, HEAD, SIDES };

#endif
