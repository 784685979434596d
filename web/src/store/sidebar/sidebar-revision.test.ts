import { expect } from 'chai'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import {
  beginChange,
  endChange,
  forgetRevision,
  isDeferred,
  isLastChange,
  isOutdated,
} from './sidebar-revision.ts'

const isOldFrame = (rev: number | undefined) => isOutdated(rev, true)
const isOldResponse = (rev: number) => isOutdated(rev, false)

describe('the order of payloads of the own sidebar', () => {
  beforeEach(() => {
    forgetRevision()
    isOldFrame(0)
  })

  it('leaves out a frame that is older than the response to a change', () => {
    expect(isOldFrame(4)).to.equal(false)
    expect(isOldResponse(5)).to.equal(false)
    expect(isOldFrame(4), 'a frame on its way before').to.equal(true)
    expect(isOldFrame(5), 'the next frame').to.equal(false)
  })

  it('takes any state of a new stream, as after a restored backup', () => {
    isOldFrame(9)
    forgetRevision()
    expect(isOldFrame(2)).to.equal(false)
    expect(isOldFrame(1), 'a later frame of the same stream').to.equal(true)
  })

  it('leaves out a late response on a new stream that has nothing to send', () => {
    isOldFrame(9)
    forgetRevision()
    expect(isOldResponse(8)).to.equal(true)
    expect(isOldResponse(10)).to.equal(false)
    expect(isOldFrame(9), 'a frame older than the response').to.equal(true)
  })

  it('takes payloads without a revision, as of servers of before', () => {
    isOldFrame(9)
    expect(isOldFrame(undefined)).to.equal(false)
    expect(isOldFrame(8)).to.equal(true)
  })

  it('defers frames from a change until the sidebar is loaded again after the last one', () => {
    const frame = (rev: number): SidebarPayload => ({ rev, sections: [], channels: [] })
    expect(isDeferred(frame(1))).to.equal(false)
    beginChange()
    beginChange()
    expect(isLastChange()).to.equal(false)
    expect(isDeferred(frame(2))).to.equal(true)
    expect(endChange(), 'one change remains').to.equal(undefined)
    expect(isLastChange()).to.equal(true)
    expect(isDeferred(frame(3)), 'while the sidebar is loaded').to.equal(true)
    expect(endChange()).to.deep.equal(frame(3))
    expect(isDeferred(frame(3))).to.equal(false)
    beginChange()
    expect(endChange(), 'taken once').to.equal(undefined)
  })
})
