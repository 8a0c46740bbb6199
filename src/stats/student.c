#include "stats/stats.h"

#include <math.h>

/* P(T <= tan(angle) sqrt(df)) - 1/2 of a positive angle, by the closed form for whole degrees of freedom. */
static double half_mass(double angle, unsigned df)
{
	double sine = sin(angle), cosine = cos(angle), sum = 0, term = df % 2 ? cosine : 1;

	for (unsigned k = df % 2 ? 1 : 0; k + 2 <= df; k += 2) {
		sum += term;
		term *= cosine * cosine * (k + 1) / (k + 2);
	}
	return df % 2 ? (angle + sine * sum) / M_PI : sine * sum / 2;
}

double student_quantile(double alpha, unsigned df)
{
	double low = 0, high = M_PI / 2;

	if (!df || !(alpha > 0 && alpha <= 0.5))
		return NAN;
	while (high - low > 1e-15) {
		double middle = (low + high) / 2;

		if (half_mass(middle, df) < 0.5 - alpha)
			low = middle;
		else
			high = middle;
	}
	return tan(low) * sqrt(df);
}
