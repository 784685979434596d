import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import Mocha from 'mocha'
import { ROOT } from '#shared/runtime/config.ts'
import type { Failure } from './repeat-failed.ts'

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING, EVENT_SUITE_BEGIN } =
  Mocha.Runner.constants

interface File {
  name: string
  began: number
  passed: number
  failed: number
  skipped: string[]
}

/** The content of the file that TEST_SUMMARY names. */
export interface Summary {
  passed: number
  skipped: number
  failures: Failure[]
}

const MAX_REASON = 2000

/** Prints a line for each file and all failures at the end. test.ts adds up the totals. */
export default class FileReporter extends Mocha.reporters.Base {
  #file: File | undefined

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    runner.on(EVENT_SUITE_BEGIN, suite => this.#enter(suite))
    runner.on(EVENT_TEST_PASS, () => {
      if (this.#file) this.#file.passed++
    })
    runner.on(EVENT_TEST_FAIL, test => {
      if (this.#file) this.#file.failed++
      console.log(`  ✘ ${test.fullTitle()}`)
    })
    runner.on(EVENT_TEST_PENDING, test => this.#file?.skipped.push(test.fullTitle()))
    runner.once(EVENT_RUN_END, () => this.#end())
  }

  #enter(suite: Mocha.Suite) {
    if (!suite.parent?.root || !suite.file) return
    const name = relative(ROOT, suite.file)
    if (name === this.#file?.name) return
    this.#leave()
    this.#file = { name, began: Date.now(), passed: 0, failed: 0, skipped: [] }
  }

  #leave() {
    if (!this.#file) return
    const { name, began, passed, failed, skipped } = this.#file
    const counts = [`${passed} passed`]
    if (failed > 0) counts.push(`${failed} FAILED`)
    if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    console.log(`${failed > 0 ? '✘' : '✔'} ${name}  ${counts.join(', ')}  (${seconds} s)`)
    for (const title of skipped) console.log(`  - skipped: ${title}`)
  }

  #end() {
    this.#leave()
    if (this.failures.length > 0) this.epilogue()
    const { TEST_SUMMARY } = process.env
    if (!TEST_SUMMARY) return
    const summary: Summary = {
      passed: this.stats.passes,
      skipped: this.stats.pending,
      failures: this.failures.map(test => ({
        title: test.fullTitle(),
        reason: String(test.err?.stack ?? test.err?.message).slice(0, MAX_REASON),
      })),
    }
    writeFileSync(TEST_SUMMARY, JSON.stringify(summary))
  }
}
