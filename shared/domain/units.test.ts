import { expect } from 'chai'
import { afterFrom, idFrom } from './units.ts'

describe('afterFrom (interface 4.3, 6)', () => {
  const CASES: [unknown, number][] = [
    [undefined, 0],
    ['', 0],
    ['NaN', 0],
    ['junk', 0],
    ['0x10', 0],
    [['1', '2'], 0],
    ['1763717517.123456', 1763717517.123456],
    ['1e3', 1000],
    ['-5', -5],
    ['Infinity', Infinity],
    ['inf', Infinity],
    ['-inf', -Infinity],
  ]
  for (const [text, after] of CASES) {
    it(`reads ${JSON.stringify(text)} as ${after}`, () => {
      expect(afterFrom(text)).to.equal(after)
    })
  }
})

describe('idFrom', () => {
  it('takes positive integers and nothing else', () => {
    expect(idFrom('17')).to.equal(17)
    for (const text of ['0', '-1', '1.0', '1e3', '01', ' 1', '99999999999999999999', '', 'x', 7, null]) {
      expect(idFrom(text), String(text)).to.equal(undefined)
    }
  })
})
