#!/usr/bin/perl
# logs.pl LOG OUT: counts the requests to a server, by page and client.
use strict;
use warnings;

my (%pages, %hosts, %errors, $bytes);

sub page_of {
    my ($path) = @_;
    $path =~ s/\?.*//;
    return $path;
}

sub take {
    my ($line) = @_;
    return unless $line =~ m{^(\S+) .*? "GET (\S+) [^"]*" (\d+) (\d+)};
    my ($host, $path, $status, $size) = ($1, $2, $3, $4);
    my $page = page_of($path);
    $pages{$page}++;
    $hosts{$host}{$page}++;
    $errors{$page}++ if $status >= 400;
    $bytes += $size;
}

sub top {
    my ($of, $n) = @_;
    my @names = sort { $of->{$b} <=> $of->{$a} || $a cmp $b } keys %$of;
    splice @names, $n if @names > $n;
    return @names;
}

sub report {
    my ($out) = @_;
    printf {$out} "%-30s %6d %4d\n", $_, $pages{$_}, $errors{$_} // 0 for top(\%pages, 500);
    printf {$out} "%-30s %6d\n", $_, scalar keys %{ $hosts{$_} } for sort keys %hosts;
    print {$out} "$bytes bytes\n";
}

my ($log, $to) = @ARGV;
open my $in, '<', $log or die "$log: $!\n";
take($_) while <$in>;
open my $out, '>', $to or die "$to: $!\n";
report($out);
close $out or die "$to: $!\n";
