/**
 * The messages with which one process of this machine gives an accepted connection to another, over the IPC channel of
 * node:child_process. The giver keeps its copy of the socket until the taker is ready, so that a taker which ends or hangs loses no
 * connection; the taker neither reads nor writes before `open`, so that never two processes use one connection.
 *
 *   giver → taker   { offer: id, head } with the socket     head: the request as text, up to and with its empty line (latin1)
 *   taker → giver   { ready: id }
 *   giver → taker   { open: id } or, if it has given up meanwhile, { drop: id }
 */
export type ToTaker = { offer: number; head: string } | { open: number } | { drop: number }
export type ToGiver = { ready: number }
