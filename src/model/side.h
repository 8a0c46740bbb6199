/* The two sides of a comparison, as array indices: the base, and the head that is judged against it. */
#ifndef PAWL_MODEL_SIDE_H
#define PAWL_MODEL_SIDE_H

enum { BASE, HEAD, SIDES };

#endif
