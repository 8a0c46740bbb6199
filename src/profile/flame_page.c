#include "profile/flame_page.h"

const char flame_page_style[] =
#include <embedded/flame.css.inc>
;

const char flame_page_script[] =
#include <embedded/flame.js.inc>
;
