/**
 * Gives the threads of Rolldown a stack on which they can follow deeply nested code: an overflow ends the process. Rust
 * reads this variable when it starts the first thread, so that this module must be imported before Rolldown. Only pages
 * that are used take memory.
 */
process.env.RUST_MIN_STACK ??= String(256 * 1_048_576);
