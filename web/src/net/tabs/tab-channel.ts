/** Messages to the other tabs of this browser. Browsers without `BroadcastChannel` deliver none. */
export interface TabChannel<Message> {
  post(message: Message): void
  listen(listener: (message: Message) => void): void
  close(): void
}

export function tabChannel<Message>(name: string): TabChannel<Message> {
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : undefined
  return {
    post: message => channel?.postMessage(message),
    listen: listener =>
      channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data)),
    close: () => channel?.close(),
  }
}
