import { writeSync } from 'node:fs'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Time that a line waits for a reader who has stopped reading, as a terminal may. */
const PATIENCE: Milliseconds = 1_000
const STEP: Milliseconds = 2
const NEWLINE = 0x0a

/** Log lines that could not be written. */
export interface LostLines {
  lines: number
  reason: string
}

/** The log line about them. */
export const lostLine = (lost: LostLines, fields: object = {}): string =>
  JSON.stringify({
    ...{ level: 'warn', time: new Date().toISOString(), ...fields },
    ...{ msg: 'log lines lost', ...lost },
  })

/**
 * The standard output of a process, which may be a file. A line that cannot be written, as on a full disk, is lost; the
 * process goes on, and the first line that can be written again follows one with the number of the lost ones. pino's own
 * output ends the process at the first error, and hangs at its end. Lines are written at once: none waits in memory when
 * a process is killed.
 */
export class LogOutput {
  readonly #fd: number
  readonly #fields: object
  #lost: LostLines | undefined
  /** Whether the last line was cut off. */
  #isTorn = false

  constructor(fields: object = {}, fd = 1) {
    this.#fields = fields
    this.#fd = fd
  }

  /** Never throws. */
  write(line: string): void {
    try {
      if (this.#lost) {
        this.#put(`${this.#isTorn ? '\n' : ''}${lostLine(this.#lost, this.#fields)}\n`)
        this.#lost = undefined
      }
      this.#put(line)
    } catch (err) {
      this.#lost = { lines: (this.#lost?.lines ?? 0) + 1, reason: (err as Error).message }
    }
  }

  #put(text: string) {
    const bytes = Buffer.from(text)
    const end = performance.now() + PATIENCE
    for (let done = 0; done < bytes.length; ) {
      try {
        done += writeSync(this.#fd, bytes, done)
        this.#isTorn = bytes[done - 1] !== NEWLINE
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > end) throw err
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP)
      }
    }
  }
}
