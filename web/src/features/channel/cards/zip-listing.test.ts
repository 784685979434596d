import { expect } from 'chai'
import { zipOf } from '#shared/test-kit/zip.ts'
import { directoryOf, filesOf } from './zip-listing.ts'

describe('the list of files in a ZIP archive', () => {
  const archive = zipOf([
    ['firmware/', ''],
    ['firmware/gauge.bin', 'x'.repeat(300)],
    ['größe.txt', 'abc'],
  ])
  const listed = (bytes: Uint8Array) => {
    const { offset, size } = directoryOf(bytes)!
    return filesOf(bytes.subarray(offset, offset + size))
  }

  it('has names and sizes of the files, without folders', () => {
    expect(directoryOf(archive)?.count).to.equal(3)
    expect(listed(archive)).to.deep.equal([
      { name: 'firmware/gauge.bin', size: 300 },
      { name: 'größe.txt', size: 3 },
    ])
  })

  it('is found behind a comment, and in the end of the file alone', () => {
    const long = zipOf([['a', 'b']], 'a comment'.repeat(1_000))
    expect(listed(long)).to.deep.equal([{ name: 'a', size: 1 }])
    expect(directoryOf(archive.subarray(-22))).to.deep.equal(directoryOf(archive))
  })

  it('ends where it is cut off, and is missing in other files', () => {
    const { offset } = directoryOf(archive)!
    expect(filesOf(archive.subarray(offset, offset + 46 + 9 + 46 + 5))).to.deep.equal([])
    expect(filesOf(new Uint8Array(60))).to.deep.equal([])
    expect(directoryOf(new TextEncoder().encode('no archive at all, but long enough'))).to.equal(undefined)
    expect(directoryOf(new Uint8Array(3))).to.equal(undefined)
  })
})
