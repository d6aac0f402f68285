/**
 * A command line for a shell: a job that says "asleep" once it has the terminal and "continued" whenever it goes on.
 * A signal key that comes before is the shell's, which shows its own words about a job before it hands the terminal over.
 * Not a shell of its own, which a stop signal can catch in the middle of starting a program.
 */
export const JOB = String.raw`perl -e '$SIG{CONT} = sub { print "cont", "inued\n" }; $| = 1; print "asl", "eep\n"; sleep 1 while 1'`;
