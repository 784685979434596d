import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type LostLines, lostLine } from '#shared/runtime/log-output.ts'

/** Size of a file, bytes; with the previous one a log takes twice as much. */
const LIMIT = 10 * 1024 * 1024
/** Lines that wait for the disk, characters; further ones are lost. */
const MOST_WAITING = 4 * 1024 * 1024
/** Pause after a failed write: an almost full disk takes a line now and then. */
const RETRY_EVERY: Milliseconds = 5_000

const NEWLINE = 0x0a

export interface LogFileOptions {
  limit?: number
  retryEvery?: Milliseconds
  /** Tells the operator that lines are lost, and later how many were. */
  say?: (sentence: string) => void
}

/**
 * Lines of a process in a file. A full file replaces the one named `.old`. Lines that cannot be written, as on a full
 * disk, are lost: the process goes on, and the first line that can be written again follows one with their number.
 */
export class LogFile {
  readonly path: string
  readonly #limit: number
  readonly #say: (sentence: string) => void
  #file: FileHandle | undefined
  #size = 0
  /** Whether the last line of the file was cut off. */
  #isTorn = false
  #waiting: string[] = []
  #waitingLength = 0
  #writing: Promise<void> | undefined
  #lost: LostLines | undefined
  readonly #retryEvery: Milliseconds
  #retryAt: Milliseconds = 0

  constructor(
    path: string,
    { limit = LIMIT, retryEvery = RETRY_EVERY, say = () => {} }: LogFileOptions = {},
  ) {
    this.path = path
    this.#limit = limit
    this.#retryEvery = retryEvery
    this.#say = say
  }

  write(line: string): void {
    if (this.#lost && performance.now() < this.#retryAt) this.#lose(1, this.#lost.reason)
    else if (this.#waitingLength > MOST_WAITING) this.#lose(1, 'the disk is too slow')
    else {
      this.#waiting.push(line)
      this.#waitingLength += line.length
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = undefined
      })
    }
  }

  /** Never rejects. */
  async end(): Promise<void> {
    await this.#writing
    await this.#close()
  }

  async #writeAll() {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0)
      this.#waitingLength = 0
      while (lines.length > 0) {
        try {
          await this.#writeSome(lines)
        } catch (err) {
          this.#lose(lines.splice(0).length, (err as Error).message)
          // Opened anew for the next lines: the folder may be another one by then.
          await this.#close()
          this.#retryAt = performance.now() + this.#retryEvery
        }
      }
    }
  }

  /** Writes the first lines, as many as the file has room for, and removes them from `lines`. */
  async #writeSome(lines: string[]) {
    const file = this.#file ?? (await this.#open())
    if (this.#lost) await this.#tellLost(file, this.#lost)
    let room = this.#limit - this.#size
    let count = 0
    for (const line of lines) {
      room -= Buffer.byteLength(line) + 1
      // A line that is longer than a file has a file of its own.
      if (room < 0 && this.#size + count > 0) break
      count++
    }
    if (count === 0) return this.#startAnew()
    const before = this.#size
    const text = Buffer.from(`${lines.slice(0, count).join('\n')}\n`)
    try {
      await this.#append(file, text)
    } finally {
      lines.splice(0, text.subarray(0, this.#size - before).filter(byte => byte === NEWLINE).length)
    }
  }

  /** Also ends a line that was cut off. */
  async #tellLost(file: FileHandle, lost: LostLines) {
    await this.#append(file, Buffer.from(`${this.#isTorn ? '\n' : ''}${lostLine(lost)}\n`))
    this.#lost = undefined
    this.#say(`is logged again; ${lost.lines === 1 ? '1 line was' : `${lost.lines} lines were`} lost`)
  }

  /** A full disk may take a part of the bytes. */
  async #append(file: FileHandle, bytes: Buffer) {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done)
      done += bytesWritten
      this.#size += bytesWritten
      this.#isTorn = bytes[done - 1] !== NEWLINE
    }
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true })
    this.#file = await open(this.path, 'a', 0o600)
    this.#size = (await this.#file.stat()).size
    return this.#file
  }

  async #startAnew() {
    await this.#close()
    await rename(this.path, `${this.path}.old`)
    this.#isTorn = false
  }

  async #close() {
    const file = this.#file
    this.#file = undefined
    await file?.close().catch(() => {})
  }

  #lose(lines: number, reason: string) {
    if (this.#lost === undefined) this.#say(`is not logged until there is room (${reason})`)
    this.#lost = { lines: (this.#lost?.lines ?? 0) + lines, reason }
  }
}
