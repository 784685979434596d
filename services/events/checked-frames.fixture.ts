import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded by the test kit into a gateway: compares each frame with the schema of its event, and reports a mismatch to
 * the process that started it (shared/test-kit/checked-answers.ts).
 */

// Threads preload this too: it imports nothing for them.
if (isMainThread && process.send) {
  const [{ EncodedFrame }, { frameMismatch }] = await Promise.all([
    import('./frames.ts'),
    import('./frame-mismatch.fixture.ts'),
  ])
  const checked = new WeakSet<object>()
  // Bytes are made of each frame that is sent, once for all streams.
  const { get } = Object.getOwnPropertyDescriptor(EncodedFrame.prototype, 'identity')!
  Object.defineProperty(EncodedFrame.prototype, 'identity', {
    get(this: InstanceType<typeof EncodedFrame>) {
      if (!checked.has(this)) {
        checked.add(this)
        const mismatch = frameMismatch(this.text)
        if (mismatch) process.send!({ wrongAnswer: `GET /events: ${mismatch}` })
      }
      return get!.call(this)
    },
  })
}
