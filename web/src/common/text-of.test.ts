import { expect } from 'chai'
import '../i18n/english.fixture.ts'
import type { MessageExtra } from '#shared/domain/payloads/messages.ts'
import { textOf } from './text-of.ts'

describe('the text of a message in one line', () => {
  const file = { name: 'Gauge sheet.xlsx', size: 9, type: 'application/octet-stream' }
  const of = (content: string | null, extra?: MessageExtra) => textOf({ content, extra } as never)

  it('has no marks', () => {
    expect(of('**Go** for `rc2`')).to.equal('Go for rc2')
  })

  it('is the name of the file of a message without text, and “Image” for an image of the base', () => {
    expect(of('', { file })).to.equal('Gauge sheet.xlsx')
    expect(of(null, { file })).to.equal('Gauge sheet.xlsx')
    expect(of('')).to.equal('Image')
  })
})
