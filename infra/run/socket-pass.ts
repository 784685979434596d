import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { ToGiver, ToTaker } from '#shared/runtime/passed-sockets.ts'

/** A child that does not take an offered connection within this time is frozen or overloaded. */
const TAKEN_WITHIN = 5_000
/** Sockets that may wait for a child: Node sends the next one when the child has received the last. */
const MOST_WAITING = 2_000

/** Gives accepted connections to one child process, which serves them from then on (shared/runtime/passed-sockets.ts). */
export class SocketPass {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (taken: boolean) => void>()
  #lastId = 0
  /** An offer expired, and the child has sent nothing since. */
  #isStuck = false

  constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', message => this.#hear(message as ToGiver))
    child.once('disconnect', () => this.#failAll())
    child.once('exit', () => this.#failAll())
  }

  get isOpen(): boolean {
    return this.#child.connected && !this.#isStuck && this.#waiting.size < MOST_WAITING
  }

  /**
   * Resolves with true when the child owns the connection: the caller then destroys its copy, which does not close the
   * connection. With false nothing was read or written, and the caller still owns it. The socket must be paused.
   */
  give(socket: Socket, head: string): Promise<boolean> {
    if (!this.isOpen || socket.destroyed) return Promise.resolve(false)
    const id = ++this.#lastId
    return new Promise(resolve => {
      const settle = (taken: boolean) => {
        if (!this.#waiting.delete(id)) return
        clearTimeout(late)
        socket.off('close', lost)
        resolve(taken)
      }
      const lost = () => settle(false)
      const late = setTimeout(() => {
        this.#isStuck = true
        settle(false)
      }, TAKEN_WITHIN)
      socket.once('close', lost)
      this.#waiting.set(id, settle)
      this.#child.send({ offer: id, head } satisfies ToTaker, socket, { keepOpen: true }, err => {
        if (err) settle(false)
      })
    })
  }

  #hear(message: ToGiver) {
    if (typeof message?.ready !== 'number') return
    this.#isStuck = false
    const settle = this.#waiting.get(message.ready)
    const answer: ToTaker = settle ? { open: message.ready } : { drop: message.ready }
    this.#child.send(answer, err => {
      // The child exited with its copy: unread data is still the caller's.
      settle?.(!err)
    })
  }

  #failAll() {
    for (const settle of [...this.#waiting.values()]) settle(false)
  }
}
