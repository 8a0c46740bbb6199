#include "stats/share_test.h"

#include <math.h>

static double hits(const struct share_count *count, size_t run)
{
	return count->run_hits ? (double)count->run_hits[run] : 0;
}

/* Pearson's statistic of the runs against their common share; *FREEDOM grows by its degrees of freedom. */
static double pearson(const struct share_count *count, double *freedom)
{
	double all_hits = 0, all = 0, p, sum = 0;

	for (size_t i = 0; i < count->n_runs; i++) {
		all_hits += hits(count, i);
		all += (double)count->run_samples[i];
	}
	p = all > 0 ? all_hits / all : 0;
	if (count->n_runs < 2 || p <= 0 || p >= 1)
		return 0;
	for (size_t i = 0; i < count->n_runs; i++) {
		double n = (double)count->run_samples[i], off = hits(count, i) - n * p;

		sum += n > 0 ? off * off / (n * p * (1 - p)) : 0;
	}
	*freedom += (double)count->n_runs - 1;
	return sum;
}

double share_dispersion(const struct share_count *now, const struct share_count *before)
{
	double freedom = 0, sum = pearson(now, &freedom);

	if (before)
		sum += pearson(before, &freedom);
	return freedom > 0 ? fmax(SHARE_DISPERSION_LEAST, sum / freedom) : SHARE_DISPERSION_LEAST;
}

double share_error(double p, uint64_t samples, double dispersion)
{
	return samples ? sqrt(dispersion * p * (1 - p) / (double)samples) : INFINITY;
}

double share_rise_error(double p, uint64_t samples, double q, uint64_t others, double dispersion)
{
	double n = (double)samples, m = (double)others, pooled = (p * n + q * m) / (n + m);

	return sqrt(dispersion * pooled * (1 - pooled) * (1 / n + 1 / m));
}

void share_compare(const struct share_count *now, const struct share_count *before, struct share_change *out)
{
	out->rise = now->share - before->share;
	out->dispersion = share_dispersion(now, before);
	out->error = share_rise_error(now->share, now->samples, before->share, before->samples, out->dispersion);
}

static double run_share(const struct share_count *count, size_t run)
{
	return count->run_samples[run] ? hits(count, run) / (double)count->run_samples[run] : 0;
}

double share_agreement(const struct share_count *now, const struct share_count *before)
{
	double agree = 0;

	for (size_t i = 0; i < now->n_runs; i++) {
		for (size_t k = 0; k < before->n_runs; k++) {
			double rise = run_share(now, i) - run_share(before, k);

			agree += rise > 0 ? 1 : rise < 0 ? 0 : 0.5;
		}
	}
	return now->n_runs && before->n_runs ? agree / (double)(now->n_runs * before->n_runs) : 0;
}

double share_samples_needed(double samples, double error, double z, double distance)
{
	double ratio = distance > 0 ? z * error / distance : INFINITY;

	return samples * ratio * ratio;
}
