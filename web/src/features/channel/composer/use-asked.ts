import { useState } from 'preact/hooks'
import type { Channel } from '../../../store/channels/channels.ts'
import { viewer } from '../../../store/store.ts'
import type { MassMention } from '../../groups/open-groups.ts'
import { massMentionIn } from './mass-mention.ts'
import { withoutTelling } from './without-telling.ts'

type Go = (body: string) => void

interface Asked extends MassMention {
  body: string
  go: Go
}

/** The question whether a text may tell many people. */
export function useAsked(channel: Channel) {
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const end = () => setAsked(undefined)
  const goOn = (body: string) => {
    end()
    asked?.go(body)
  }
  return {
    asked,
    /**
     * Returns true if the text tells many people; `go` then gets the text that the person chooses. `mayAsk` is called
     * before the question is shown.
     */
    asks(body: string, go: Go, mayAsk = () => true): boolean {
      const many = massMentionIn(body, channel)
      if (many && mayAsk()) setAsked({ ...many, body, go })
      return many !== undefined
    },
    end,
    sendAsked: () => asked && goOn(asked.body),
    sendWithout: () =>
      asked && goOn(withoutTelling(asked.body, asked.names, [...channel.members.peek(), viewer])),
  }
}
