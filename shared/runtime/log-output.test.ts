import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { LogOutput } from './log-output.ts'

describe('the standard output of a process', () => {
  it('loses lines that cannot be written, and tells their number before the next one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bothy-output-'))
    const path = join(folder, 'log')
    const file = openSync(path, 'a')
    const output = new LogOutput({ service: 'api' }, file)
    output.write('{"msg":"first"}\n')
    closeSync(file)
    output.write('{"msg":"second"}\n')
    output.write('{"msg":"third"}\n')
    // The lowest free descriptor: the same one.
    expect(openSync(path, 'a')).to.equal(file)
    output.write('{"msg":"fourth"}\n')
    output.write('{"msg":"fifth"}\n')
    closeSync(file)
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['first', 'log lines lost', 'fourth', 'fifth'])
    expect(lines[1]).to.include({ level: 'warn', service: 'api', lines: 2 })
    rmSync(folder, { recursive: true })
  })
})
