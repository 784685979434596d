import { expect } from 'chai'
import { Batches } from './batches.ts'

describe('requests for many ids', () => {
  const asking = (most: number) => {
    const asked: number[][] = []
    let release: () => void = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const batches = new Batches(
      async ids => {
        asked.push(ids)
        await held
      },
      { most, gather: 1 },
    )
    return { asked, batches, release }
  }

  it('are one for those wanted together, and one at a time for each id', async () => {
    const { asked, batches, release } = asking(50)
    const first = Promise.all([1, 2, 3, 2].map(id => batches.want(id)))
    await new Promise(resolve => setTimeout(resolve, 20))
    const again = batches.want(2)
    release()
    await Promise.all([first, again])
    expect(asked).to.deep.equal([[1, 2, 3]])
    await batches.want(2)
    expect(asked).to.deep.equal([[1, 2, 3], [2]])
  })

  it('have a bounded length', async () => {
    const { asked, batches, release } = asking(2)
    release()
    await Promise.all([1, 2, 3].map(id => batches.want(id)))
    expect(asked).to.deep.equal([[1, 2], [3]])
  })
})
