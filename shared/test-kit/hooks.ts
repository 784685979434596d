import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Context, Test } from 'mocha'
import { failOnWrongAnswers } from './checked-answers.ts'
import { closeRunBacking, noteFailure } from './stores.ts'

/** Global mocha hooks; package.json names this file. */

/** Milliseconds after the last test; then open processes, sockets or timers fail the run. */
const LEFT_OPEN_AFTER = 15_000

export const mochaHooks = {
  beforeAll(this: Context) {
    this.test!.parent!.eachTest(alsoCheckingAnswers)
  },
  afterEach(this: { currentTest?: Test }) {
    if (this.currentTest?.state === 'failed') noteFailure()
  },
  /** The wrong answers to requests of hooks. */
  afterAll: failOnWrongAnswers,
}

/** A failure of the test itself, where a failing hook would end the run. */
function alsoCheckingAnswers(test: Test) {
  const { fn } = test
  if (!fn || fn.length > 0) return
  test.fn = async function (this: Context) {
    await (fn as (this: Context) => unknown).call(this)
    await failOnWrongAnswers()
  }
}

export async function mochaGlobalTeardown() {
  await closeRunBacking()
  setTimeout(() => {
    process.stderr.write(`\nLeft open after the last test, so the run fails: ${openHandles().join(', ')}\n`)
    // Runs after mocha's listener, which sets the exit code of its result.
    process.on('exit', () => {
      process.exitCode = 1
    })
    process.exit()
  }, LEFT_OPEN_AFTER).unref()
}

/** The handles that keep this process alive, as far as Node names them. */
function openHandles(): string[] {
  const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles()
  const named = handles.map(nameOf).filter(name => name !== undefined)
  const timers = process.getActiveResourcesInfo().filter(kind => kind === 'Timeout' || kind === 'Immediate')
  return [...named, ...timers]
}

function nameOf(handle: object): string | undefined {
  const { spawnargs } = handle as ChildProcess
  if (spawnargs) return `process “${spawnargs.join(' ')}”`
  const { remoteAddress, remotePort, fd } = handle as Socket & { fd?: number }
  if (remoteAddress) return `connection to ${remoteAddress}:${remotePort}`
  // Skips standard output and the pipes of children, which are listed above.
  if (fd !== undefined || handle.constructor.name === 'Socket' || handle.constructor.name === 'Pipe')
    return undefined
  return handle.constructor.name
}
