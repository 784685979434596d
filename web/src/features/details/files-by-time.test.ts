import { expect } from 'chai'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'
import { filesByTime } from './files-by-time.ts'

describe('the files of a channel by time', () => {
  const now = new Date(2026, 10, 24, 12)
  const file = (name: string, ...at: [number, number, number, number?]) => {
    const type = name.endsWith('.png') ? 'image/png' : 'text/plain'
    return { name, type, ts: +new Date(...(at as [number, number, number])) / 1_000 } as ChannelFilePayload
  }
  const shown = (...files: ChannelFilePayload[]) =>
    filesByTime(files, now).map(({ age, runs }) => [
      age instanceof Date ? `${age.getFullYear()}-${age.getMonth() + 1}` : age,
      ...runs.map(run => ('file' in run ? run.file.name : run.pictures.map(one => one.name))),
    ])

  it('are those of today, of earlier this month, and of each month before', () => {
    expect(
      shown(
        file('a.txt', 2026, 10, 24, 11),
        file('b.txt', 2026, 10, 24, 0),
        file('c.txt', 2026, 10, 23, 23),
        file('d.txt', 2026, 10, 1),
        file('e.txt', 2026, 9, 31),
        file('f.txt', 2025, 10, 3),
        file('g.txt', 2025, 10, 2),
      ),
    ).to.deep.equal([
      ['today', 'a.txt', 'b.txt'],
      ['earlier', 'c.txt', 'd.txt'],
      ['2026-10', 'e.txt'],
      ['2025-11', 'f.txt', 'g.txt'],
    ])
  })

  it('have the name of this month if none is of today', () => {
    expect(shown(file('c.txt', 2026, 10, 23))).to.deep.equal([['2026-11', 'c.txt']])
    expect(shown()).to.deep.equal([])
  })

  it('have neighbouring pictures together', () => {
    expect(
      shown(
        file('1.png', 2026, 10, 24),
        file('2.png', 2026, 10, 24),
        file('a.txt', 2026, 10, 24),
        file('3.png', 2026, 10, 24),
        file('4.png', 2026, 10, 3),
      ),
    ).to.deep.equal([
      ['today', ['1.png', '2.png'], 'a.txt', ['3.png']],
      ['earlier', ['4.png']],
    ])
  })
})
