# The agent of a micro-VM: process 1 once the machine is up. It owns the terminal (PTY) of the one program that the machine
# exists for, and two channels to the host: `data`, the terminal's bytes in both directions, and `control`, lines of text.
# protocol.ts on the host's side says what the lines mean.
#
# One loop that never blocks on either side: what the host does not take is not read from the terminal, and the terminal
# holds the program back; what the program does not read is not taken from the host. A relay that writes until it is done,
# such as socat, stands still for ever when both are full.
use strict;
use warnings;
use Errno qw(EAGAIN EINTR EIO);
use Fcntl qw(O_RDWR O_RDONLY O_NOCTTY O_NONBLOCK O_NOFOLLOW F_GETFL F_SETFL F_GETFD F_SETFD FD_CLOEXEC);
use POSIX ();

use constant {
    PROTOCOL     => 2,
    CHUNK        => 32 * 1024,
    # Bytes kept between the terminal and a channel, in each direction.
    BUFFER       => 64 * 1024,
    # Bytes of a line from the host, and of lines that it has not read.
    LINE         => 4096,
    CONTROL      => 64 * 1024,
    # Bytes read of a terminal whose program has ended: more than any terminal holds. Others may still write to it.
    TAIL         => 1024 * 1024,
    SESSION      => '/airlock/session',
    WORK         => '/work',
    # vsock(7)
    AF_VSOCK     => 40,
    CONTROL_PORT => 1024,
    DATA_PORT    => 1025,
    # ioctl(2) and system calls of x86-64
    TIOCSPTLCK   => 0x40045431,
    TIOCGPTN     => 0x80045430,
    TIOCSWINSZ   => 0x5414,
    TIOCSCTTY    => 0x540E,
    SYS_SETRLIMIT => 160,
    SYS_PRCTL    => 157,
    SYS_REBOOT   => 169,
    PR_CAPBSET_DROP => 24,
    PR_SET_NO_NEW_PRIVS => 38,
};

my %settings = read_settings(SESSION . '/settings');
my ($control, $data) = channels();

# What waits for its reader.
my ($to_host, $to_program, $lines, $command) = ('', '', '', '');
my $sent     = 0;        # bytes of the terminal that the host has
my $status   = undef;    # how the program ended
my $tail     = 0;        # bytes read since then
my $emptied  = 0;        # whether the terminal has no more
my $drained  = 0;        # whether the host was told that this was all

my ($master, $slave) = open_terminal();
my @outputs = place_outputs();
my ($child, $go, $failure) = fork_program();
$SIG{PIPE} = 'IGNORE';
# Only to interrupt select.
$SIG{CHLD} = sub { };
say_line('hello', PROTOCOL, facts($child));

while (1) {
    reap();
    step();
}

# Waits for what can go on, and does some of it.
sub step {
    my ($reads, $writes) = ('', '');
    my $reading = !$emptied && length $to_host < BUFFER;
    vec($reads, fileno $control, 1) = 1 if length $lines < CONTROL;
    vec($reads, fileno $data,    1) = 1 if length $to_program < BUFFER && !defined $status;
    vec($reads, fileno $master,  1) = 1 if $reading && !defined $status;
    vec($writes, fileno $control, 1) = 1 if length $lines;
    vec($writes, fileno $data,    1) = 1 if length $to_host;
    vec($writes, fileno $master,  1) = 1 if length $to_program;
    # Not for ever: a child may have ended since it was last looked for.
    my $ready = select($reads, $writes, undef, defined $status && $reading ? 0 : 0.2);
    if ($ready > 0) {
        flush_to($control, \$lines) if vec($writes, fileno $control, 1);
        $sent += flush_to($data, \$to_host) if vec($writes, fileno $data, 1);
        flush_to($master, \$to_program) if vec($writes, fileno $master, 1);
        read_commands() if vec($reads, fileno $control, 1);
        take($data, \$to_program) if vec($reads, fileno $data, 1);
        take($master, \$to_host) if vec($reads, fileno $master, 1);
    }
    drain() if defined $status && !$drained;
}

# What the terminal holds after its program ended, then how many bytes that was all in all. The slave is open here as well,
# so that an empty terminal is EAGAIN and never an end.
sub drain {
    if (!$emptied && length $to_host < BUFFER) {
        my $got = take($master, \$to_host);
        $tail += $got;
        $emptied = $got == 0 || $tail >= TAIL;
    }
    return if !$emptied || length $to_host;
    $drained = 1;
    say_line('drained', $sent);
}

sub reap {
    while ((my $pid = waitpid(-1, POSIX::WNOHANG())) > 0) {
        next if $pid != $child;
        my $signal = $? & 127;
        $status = $signal ? "signal $signal" : 'exit ' . ($? >> 8);
        $to_program = '';
        say_line('ended', $status);
    }
}

# One line from the host at a time.
sub read_commands {
    my $got = sysread($control, $command, LINE, length $command);
    # The host is gone: so is everything that it started.
    halt() if defined $got ? $got == 0 : !($!{EAGAIN} || $!{EINTR});
    while ($command =~ s/^([^\n]*)\n//) {
        obey(split / /, $1);
    }
    halt() if length $command >= LINE;
}

sub obey {
    my ($verb, @words) = @_;
    if ($verb eq 'start') {
        close $go;
        my $reason = do { local $/; my $text = <$failure>; $text };
        say_line(length $reason ? ('failed', $reason) : ('started', $child));
    }
    elsif ($verb eq 'size') {
        set_size(@words);
        say_line('sized');
    }
    elsif ($verb eq 'signal') {
        if (!defined $status) {
            kill $words[0], $child;
            # A stopped program acts on nothing but SIGKILL until it is continued.
            kill 'CONT', $child;
        }
        say_line('signalled');
    }
    elsif ($verb eq 'break') {
        say_line('broke', send_break());
    }
    elsif ($verb eq 'collect') {
        collect();
    }
    elsif ($verb eq 'send') {
        send_files();
    }
}

# BREAK has no meaning on a PTY; the terminal's modes say what it would have been on a serial line.
sub send_break {
    return 'nobody' if defined $status;
    my $modes = POSIX::Termios->new;
    $modes->getattr(fileno $slave) or return 'nobody';
    my $input = $modes->getiflag;
    return 'ignored' if $input & POSIX::IGNBRK();
    if ($input & POSIX::BRKINT()) {
        my $group = POSIX::tcgetpgrp(fileno $master);
        return 'nobody' if $group <= 1;
        kill 'INT', -$group;
        return 'interrupt';
    }
    $to_program .= "\0";
    return 'nul';
}

# Ends every process of the machine, and says how many bytes of output there are all in all and how many in each of the files that
# it could write.
sub collect {
    kill 'KILL', -1;
    1 while waitpid(-1, 0) > 0;
    block($data);
    $status //= 'signal 9';
    write_all($data, $to_host) if length $to_host;
    $sent += length $to_host;
    ($to_host, $to_program, $emptied, $drained) = ('', '', 1, 1);
    say_line('collected', $sent, map { -s $_ || 0 } @outputs);
}

# Their bytes, on `data`, which carries nothing else any more. Asked for by itself: the host knows by now where the output ends.
sub send_files {
    for my $file (@outputs) {
        seek $file, 0, 0;
        while (sysread($file, my $bytes, CHUNK)) { write_all($data, $bytes) }
    }
}

sub set_size {
    my ($columns, $rows) = @_;
    my $size = pack('S4', $rows, $columns, 0, 0);
    ioctl($master, TIOCSWINSZ, $size);
}

sub say_line { $lines .= join(' ', @_) . "\n" }

# Writes what the other side takes now; returns how many bytes that was.
sub flush_to {
    my ($handle, $bytes) = @_;
    my $done = syswrite($handle, $$bytes, length $$bytes < CHUNK ? length $$bytes : CHUNK);
    return 0 unless defined $done;
    substr($$bytes, 0, $done, '');
    return $done;
}

# Reads what is there now, at most a chunk; returns how many bytes that was.
sub take {
    my ($handle, $buffer) = @_;
    return sysread($handle, $$buffer, CHUNK, length $$buffer) || 0;
}

sub write_all {
    my ($handle, $bytes) = @_;
    while (length $bytes) {
        my $done = syswrite($handle, $bytes, length $bytes < CHUNK ? length $bytes : CHUNK);
        if (defined $done) { substr($bytes, 0, $done, '') }
        elsif (!$!{EINTR}) { halt() }
    }
}

sub open_terminal {
    sysopen(my $ptm, '/dev/ptmx', O_RDWR | O_NOCTTY) or die "/dev/ptmx: $!";
    my $locked = pack('i', 0);
    ioctl($ptm, TIOCSPTLCK, $locked) or die "unlockpt: $!";
    my $number = pack('i', 0);
    ioctl($ptm, TIOCGPTN, $number) or die "ptsname: $!";
    my $path = '/dev/pts/' . unpack('i', $number);
    sysopen(my $pts, $path, O_RDWR | O_NOCTTY) or die "$path: $!";
    chown $settings{user}, $settings{user}, $path;
    my $modes = POSIX::Termios->new;
    $modes->getattr(fileno $pts);
    # IUTF8: erasing takes whole characters.
    $modes->setiflag($modes->getiflag | 040000);
    $modes->setlflag($modes->getlflag & ~POSIX::ECHO()) unless $settings{echo};
    $modes->setattr(fileno $pts, POSIX::TCSANOW());
    $master = $ptm;
    set_size($settings{columns}, $settings{rows});
    unblock($ptm);
    close_on_exec($_) for $ptm, $pts;
    return ($ptm, $pts);
}

# The files that the program may write lie in a memory file system of their own; each is bound to its place.
sub place_outputs {
    my @targets = read_list(SESSION . '/outputs');
    if (@targets) {
        mkdir '/run/outputs', 0700;
        system('mount', '-t', 'tmpfs', '-o', "nosuid,nodev,mode=0700,size=$settings{outputBytes}", 'tmpfs', '/run/outputs');
    }
    my @files = map {
        my $file = "/run/outputs/$_";
        my $place = WORK . "/$targets[$_]";
        system('cp', $place, $file);
        chmod 0666, $file;
        system('mount', '--bind', $file, $place) == 0 or die "$place could not be bound";
        sysopen(my $handle, $file, O_RDONLY | O_NOFOLLOW) or die "$file: $!";
        close_on_exec($handle);
        $handle;
    } 0 .. $#targets;
    system('mount', '-o', 'remount,ro', '/') == 0 or die 'the file system could not be made read-only';
    return @files;
}

# The program's process, bounded and without privileges, which waits for `start` before it becomes the program.
sub fork_program {
    my @command     = read_list(SESSION . '/command');
    my %environment = map { split /=/, $_, 2 } read_list(SESSION . '/environment');
    pipe(my $wait, my $start) or die "pipe: $!";
    pipe(my $reason, my $report) or die "pipe: $!";
    pipe(my $ready, my $set) or die "pipe: $!";
    close_on_exec($_) for $wait, $start, $reason, $report, $ready, $set;
    my $pid = fork() // die "fork: $!";
    if ($pid == 0) {
        close $_ for $start, $reason, $ready, $control, $data, $master;
        my $error = eval { become_user(); 1 } ? '' : $@;
        if ($error eq '') {
            syswrite $set, '.';
            close $set;
            sysread $wait, my $byte, 1;
            %ENV = %environment;
            { no warnings; exec { $command[0] } @command; }
            $error = "$!";
        }
        $error =~ s/[^ -~]+/ /g;
        syswrite $report, $error;
        POSIX::_exit(127);
    }
    close $_ for $wait, $report, $set;
    give_up(do { local $/; <$reason> }) unless sysread $ready, my $byte, 1;
    return ($pid, $start, $reason);
}

sub become_user {
    POSIX::setsid();
    ioctl($slave, TIOCSCTTY, 0) or die "controlling terminal: $!";
    POSIX::dup2(fileno $slave, $_) for 0, 1, 2;
    my %limits = (1 => $settings{fileBytes}, 4 => 0, 6 => $settings{processes}, 7 => $settings{openFiles});
    for my $resource (keys %limits) {
        next unless defined $limits{$resource};
        my $bound = pack('Q2', $limits{$resource}, $limits{$resource});
        # A text would be passed as its address.
        syscall(SYS_SETRLIMIT, $resource + 0, $bound) == 0 or die "limit $resource: $!";
    }
    for my $capability (0 .. 63) { last if syscall(SYS_PRCTL, PR_CAPBSET_DROP, $capability, 0, 0, 0) != 0 }
    my $user = $settings{user};
    $) = "$user $user";
    POSIX::setgid($user);
    POSIX::setuid($user);
    die 'the user could not be changed' unless $< == $user && $> == $user && $( =~ /^$user\b/;
    syscall(SYS_PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
    chdir($settings{echo} ? '/home/u' : WORK) or die "working directory: $!";
    POSIX::umask(022);
}

# The machine is of no use: says why, and waits to be ended.
sub give_up {
    block($control);
    write_all($control, "failed $_[0]\n");
    sleep 1 while sysread $control, my $byte, 1;
    halt();
}

# What really holds, for the host to show: read back, not remembered.
sub facts {
    my ($pid) = @_;
    my $status = slurp("/proc/$pid/status");
    my $limits = slurp("/proc/$pid/limits");
    my ($release) = slurp('/proc/sys/kernel/osrelease') =~ /(\S+)/;
    my ($user) = $status =~ /^Uid:\t(\d+)/m;
    my ($capabilities) = $status =~ /^CapBnd:\t([0-9a-f]+)/m;
    my $bound = sub { $limits =~ /^$_[0] +(\d+)/m ? $1 : '-' };
    my $bytes = sub { my ($size) = slurp('/proc/mounts') =~ m{^tmpfs $_[0] tmpfs \S*\bsize=(\d+)k}m; $size ? $size * 1024 : '-' };
    my @interfaces = grep { !/^(\.|lo$)/ } do { opendir(my $folder, '/sys/class/net'); readdir $folder };
    return (
        "kernel=$release", "user=$user", "capabilities=$capabilities",
        'processors=' . (() = slurp('/proc/cpuinfo') =~ /^processor\b/mg),
        'processes=' . $bound->('Max processes'), 'openFiles=' . $bound->('Max open files'),
        'fileBytes=' . $bound->('Max file size'),
        'homeBytes=' . $bytes->('/home/u'), 'tmpBytes=' . $bytes->('/tmp'),
        'interfaces=' . @interfaces,
    );
}

# Two handles, control and data: what the monitor gave the machine.
sub channels {
    my @handles = ports('airlock.control', 'airlock.data');
    @handles = accepted(CONTROL_PORT, DATA_PORT) if !@handles;
    for (@handles) { unblock($_); close_on_exec($_); }
    return @handles;
}

sub ports {
    my %paths = map { my ($name) = slurp("$_/name") =~ /(\S+)/; ($name // '', '/dev/' . (split m{/})[-1]) }
        glob '/sys/class/virtio-ports/*';
    return if !%paths;
    return map {
        my $path = $paths{$_} // die "no port $_";
        sysopen(my $port, $path, O_RDWR) or die "$path: $!";
        $port;
    } @_;
}

# The host dials: one connection for each, and no other.
sub accepted {
    my @listening = map {
        socket(my $socket, AF_VSOCK, 1, 0) or die "vsock: $!";
        # struct sockaddr_vm, any context
        bind($socket, pack('S S L L x4', AF_VSOCK, 0, $_, 0xffffffff)) or die "vsock port $_: $!";
        listen($socket, 1) or die "vsock port $_: $!";
        $socket;
    } @_;
    return map { accept(my $connection, $_) or die "vsock: $!"; close $_; $connection } @listening;
}

sub unblock { fcntl($_[0], F_SETFL, fcntl($_[0], F_GETFL, 0) | O_NONBLOCK) }
sub block { fcntl($_[0], F_SETFL, fcntl($_[0], F_GETFL, 0) & ~O_NONBLOCK) }
sub close_on_exec { fcntl($_[0], F_SETFD, FD_CLOEXEC) }

sub slurp {
    my ($path) = @_;
    open(my $file, '<', $path) or return '';
    local $/;
    return <$file> // '';
}

# name=value lines
sub read_settings { map { split /=/, $_, 2 } split /\n/, slurp($_[0]) }
# Texts, each ended by a NUL.
sub read_list { split /\0/, slurp($_[0]) =~ s/\0\z//r, -1 }

sub halt {
    # LINUX_REBOOT_CMD_RESTART: the monitor ends when its machine restarts.
    syscall(SYS_REBOOT, 0xfee1dead, 672274793, 0x01234567, 0);
    exit 1;
}
