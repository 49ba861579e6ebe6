//! A toy misfit for the harness's own tests: a child that does one thing that no child should.
//!
//! `toy-misfit WHAT`, where what it is is the name of a function.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a test reads it")]
#![expect(clippy::unnecessary_wraps, reason = "some misfits can fail, and all are called alike")]

use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use harness::{Program, point, point_async};

fn main() -> io::Result<ExitCode> {
    let args: Vec<_> = env::args().collect();
    let what = args.get(1).map_or("", String::as_str);
    let misfit = match what {
        "exits-early" => exits_early,
        "hangs" => hangs,
        "prints-garbage" => prints_garbage,
        "says-garbage" => says_garbage,
        "floods-the-line" => floods_the_line,
        "floods" => floods,
        "ignores-sigterm" => ignores_sigterm,
        "has-a-child" => has_a_child,
        "leaves-a-daemon" => leaves_a_daemon,
        "is-a-test" => is_a_test,
        "is-a-test-in-a-hurry" => is_a_test_in_a_hurry,
        "passes-two-at-once" => passes_two_at_once,
        _ => |_: &[String]| Err(io::ErrorKind::InvalidInput.into()),
    };
    misfit(&args)
}

fn exits_early(_: &[String]) -> io::Result<ExitCode> {
    point("ready");
    eprintln!("no disk");
    Ok(ExitCode::from(3))
}

fn hangs(_: &[String]) -> io::Result<ExitCode> {
    point("ready");
    println!("waiting for Godot");
    sleep();
    Ok(ExitCode::SUCCESS)
}

fn prints_garbage(_: &[String]) -> io::Result<ExitCode> {
    io::stdout().write_all(b"\xff\xfe at 1 point\n\0\x1b[2J go 1\n at")?;
    point("ready");
    Ok(ExitCode::SUCCESS)
}

fn says_garbage(args: &[String]) -> io::Result<ExitCode> {
    say(b"what is this line for?\n")?;
    hangs(args)
}

fn floods_the_line(args: &[String]) -> io::Result<ExitCode> {
    (0..100_000).try_for_each(|_| say(&[b'x'; 1000]))?;
    hangs(args)
}

fn floods(_: &[String]) -> io::Result<ExitCode> {
    (0..10_000).try_for_each(|_| io::stdout().write_all(&[b'x'; 10_000]))?;
    println!();
    println!("the end");
    point("flooded");
    Ok(ExitCode::SUCCESS)
}

/// What a process ignores, the program that takes its place ignores too.
fn ignores_sigterm(args: &[String]) -> io::Result<ExitCode> {
    Err(Command::new("sh").args(["-c", r#"trap "" TERM; exec "$0" hangs"#, &args[0]]).exec())
}

fn has_a_child(args: &[String]) -> io::Result<ExitCode> {
    let child = Command::new("sleep").arg("600").spawn()?;
    println!("{}", child.id());
    hangs(args)
}

/// The daemon has left the process group once it says its number; it holds stderr open.
fn leaves_a_daemon(_: &[String]) -> io::Result<ExitCode> {
    let mut daemon = Command::new("setsid");
    let daemon = daemon.args(["sh", "-c", "echo $$; exec sleep 5"]).stdout(Stdio::piped()).spawn()?;
    let mut number = String::new();
    BufReader::new(daemon.stdout.ok_or(io::ErrorKind::BrokenPipe)?).read_line(&mut number)?;
    print!("{number}");
    Ok(ExitCode::SUCCESS)
}

fn passes_two_at_once(_: &[String]) -> io::Result<ExitCode> {
    futures::executor::block_on(two_at_once());
    Ok(ExitCode::SUCCESS)
}

/// A test that is killed with children of its own, one of them frozen; their numbers are in a file.
fn is_a_test(args: &[String]) -> io::Result<ExitCode> {
    let start = || Program::new(&args[0]).with_arg("hangs").start().map_err(io::Error::other);
    let (one, other) = (start()?, start()?);
    other.wait_until_passed("ready", 1).and_then(|()| other.freeze()).map_err(io::Error::other)?;
    fs::write(&args[2], format!("{} {}", one.id(), other.id()))?;
    point("ready");
    sleep();
    Ok(ExitCode::SUCCESS)
}

/// A test that is killed while it starts children; each of them carries a mark.
fn is_a_test_in_a_hurry(args: &[String]) -> io::Result<ExitCode> {
    let mut children = Vec::new();
    loop {
        let child = Program::new(&args[0]).with_arg("hangs").with_arg(&args[2]).start();
        children.push(child.map_err(io::Error::other)?);
    }
}

/// Two tasks on one thread: while one is held, the other goes on.
async fn two_at_once() {
    let one = async {
        point_async("one").await;
        point_async("one-goes-on").await;
    };
    let other = async {
        point_async("other").await;
        point_async("other-goes-on").await;
    };
    futures::future::join(one, other).await;
}

/// Writes to the line for points, as a child never should.
fn say(bytes: &[u8]) -> io::Result<()> {
    fs::File::from(io::stdin().as_fd().try_clone_to_owned()?).write_all(bytes)
}

#[expect(clippy::disallowed_methods, reason = "it hangs, which is what it is for")]
fn sleep() {
    thread::sleep(Duration::from_mins(10));
}
