import { expect } from 'chai'
import { type GroupResult, repeatFailed, reportOf } from './repeat-failed.ts'

describe('failed groups of npm test', () => {
  function result(file: string, ...titles: string[]): GroupResult {
    const failures = titles.map(title => ({ title, reason: `${title}: late\n  at line 1` }))
    return { files: [file], passed: 1, failed: titles.length, skipped: 0, failures }
  }

  /** Runs that end with these results, in order of the call; `asked` lists the files. */
  function runs(...results: GroupResult[]) {
    const asked: string[][] = []
    return {
      asked,
      run: async (files: string[]) => {
        asked.push(files)
        return results.shift()!
      },
    }
  }

  it('run once more; a failure that does not repeat is unstable, one that does counts', async () => {
    const { asked, run } = runs(result('b'), result('c', 'c1'))
    const { results, unstable } = await repeatFailed(
      [result('a'), result('b', 'b1'), result('c', 'c1', 'c2')],
      run,
    )
    expect(asked).to.deep.equal([['b'], ['c']])
    expect(results).to.deep.equal([result('a'), result('b'), result('c', 'c1')])
    expect(unstable.map(({ title }) => title)).to.deep.equal(['b1', 'c2'])
  })

  it('count as failed if there is no time to repeat them, or the repetition is cut', async () => {
    const cut = { ...result('b'), isCut: true }
    const { asked, run } = runs(cut)
    let isLate = false
    const repeated = await repeatFailed(
      [result('a'), result('b', 'b1'), result('c', 'c1')],
      files => {
        isLate = true
        return run(files)
      },
      () => isLate,
    )
    expect(asked).to.deep.equal([['b']])
    expect(repeated).to.deep.equal({
      results: [result('a'), result('b', 'b1'), result('c', 'c1')],
      unstable: [],
    })
  })

  it('do not run again if they are more than three, or if there is one group only', async () => {
    const { asked, run } = runs()
    const many = ['a', 'b', 'c', 'd'].map(file => result(file, `${file}1`))
    expect(await repeatFailed(many, run)).to.deep.equal({ results: many, unstable: [] })
    expect(await repeatFailed([result('a', 'a1')], run)).to.deep.equal({
      results: [result('a', 'a1')],
      unstable: [],
    })
    expect(asked).to.deep.equal([])
  })

  it('are reported with title and reason, and a run without failures reports nothing', () => {
    expect(reportOf([], [])).to.deep.equal([])
    expect(reportOf(result('a', 'a1').failures, result('b', 'b1').failures)).to.deep.equal([
      'Failed (1)',
      '  ✘ a1',
      '      a1: late',
      '        at line 1',
      'Unstable: failed once, passed when run again (1)',
      '  ✘ b1',
      '      b1: late',
      '        at line 1',
    ])
  })
})
