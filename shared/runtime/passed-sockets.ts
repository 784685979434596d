/**
 * The protocol by which a process gives an accepted connection to another one on the same machine, over the IPC channel
 * of node:child_process. The giver keeps its copy of the socket until the taker is ready, so that a crashed or hanging
 * taker loses no connection; the taker neither reads nor writes before `open`, so that a connection never has two
 * users.
 *
 *   giver → taker   { offer: id, head } with the socket     head: the request up to its empty line, inclusive (latin1)
 *   taker → giver   { ready: id }
 *   giver → taker   { open: id }, or { drop: id } if it has given up meanwhile
 */
export type ToTaker = { offer: number; head: string } | { open: number } | { drop: number }
export type ToGiver = { ready: number }
