/* The style sheet and the script that every flame graph carries: flame.css and flame.js, as the build put them into C. */
#ifndef PAWL_PROFILE_FLAME_PAGE_H
#define PAWL_PROFILE_FLAME_PAGE_H

extern const char flame_page_style[], flame_page_script[];

#endif
