import { expect } from 'chai'
import { csvCell } from './audit-csv.ts'

describe('a cell of the audit log as CSV', () => {
  it('is quoted where it must be', () => {
    expect(csvCell('plain')).to.equal('plain')
    expect(csvCell('a,b')).to.equal('"a,b"')
    expect(csvCell('say "hi"\n')).to.equal('"say ""hi""\n"')
  })

  it('does not begin as a formula', () => {
    for (const text of ['=1', '+1', '-1', '@x', '\tx']) expect(csvCell(text)).to.match(/^"?'/)
    expect(csvCell('=a,"b"')).to.equal(`"'=a,""b"""`)
  })
})
