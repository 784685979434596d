import { useRef, useState } from 'preact/hooks'
import type { IncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { LeaveDialog } from '../../common/LeaveDialog.tsx'
import { MadeSecret } from '../../common/MadeSecret.tsx'
import { strings } from '../../i18n/i18n.ts'
import { incomingHooks } from '../../net/requests/hooks.ts'
import { showToast } from '../../ui/feedback.ts'
import { AskDialog, type Question } from './AskDialog.tsx'
import { HookPanel, type OpenedHook } from './HookPanel.tsx'
import { type HookActs, HookRow, rowButton } from './HookRow.tsx'
import { newAddressQuestion, removalQuestion } from './hook-questions.ts'
import { ListSection } from './ListSection.tsx'
import { SignSecretDialog } from './SignSecretDialog.tsx'
import { TryHookDialog } from './TryHookDialog.tsx'
import { useList } from './use-list.ts'

/** A dialog over the list. */
type Asked =
  | { kind: 'try' | 'sign'; hook: IncomingHookPayload }
  | { kind: 'ask'; question: Question }
  | { kind: 'secret'; name: string; secret: string }

interface Props {
  /** Undefined: hooks of all channels. */
  channel?: ChannelId
  mayMake: boolean
  /** The viewer changes the hooks of this person too: all as a manager. */
  mayChange: (hook: IncomingHookPayload) => boolean
}

/** Incoming hooks of a channel or of all, also the own ones of those who may make no more. */
export function IncomingSection({ channel, mayMake, mayChange }: Props) {
  const { items, hasFailed, reload } = useList([channel], () => incomingHooks(channel))
  const [asked, setAsked] = useState<Asked>()
  const isAmongAll = channel === undefined
  const { opened, leaving, isTyped, open, renewed, leave, close } = useOpenedHook(isAmongAll)
  const texts = strings.hooks
  if (isAmongAll && !mayMake && !items?.length) return null

  const ask = (question: Question) => setAsked({ kind: 'ask', question })
  const askNewAddress = (hook: Named) => ask(newAddressQuestion(hook, url => renewed(hook.id, url)))
  const askRemoval = (hook: Named) =>
    ask(
      removalQuestion(hook, () => {
        if (opened?.id === hook.id) close()
        reload()
      }),
    )
  const actsOn = (hook: IncomingHookPayload): HookActs => ({
    open: () => open(hook.id),
    close: () => leave(close),
    renewAddress: () => leave(() => askNewAddress(hook), hook.id),
    tryIt: () => setAsked({ kind: 'try', hook }),
    sign: () => setAsked({ kind: 'sign', hook }),
    remove: () => askRemoval(hook),
    ask,
    changed: reload,
  })
  const openedHook = items?.find(({ id }) => id === opened?.id)
  /** Questions are dialogs, and have no room over another. */
  const inPanel = (run: (hook: Named) => void) =>
    isAmongAll && openedHook ? () => run(openedHook) : undefined
  return (
    <ListSection
      id="incoming-hooks"
      title={texts.title}
      about={texts.about}
      make={mayMake ? { label: texts.make, run: () => open(undefined) } : undefined}
      none={isAmongAll ? texts.none : texts.noneHere}
      failed={hasFailed ? { sentence: texts.notLoaded, again: reload } : undefined}
      rows={items?.map(hook => (
        <HookRow
          key={hook.id}
          hook={hook}
          isAmongAll={isAmongAll}
          isOpened={isAmongAll && hook === openedHook}
          acts={mayChange(hook) ? actsOn(hook) : undefined}
        />
      ))}
    >
      {opened && (
        <HookPanel
          key={opened.turn}
          {...opened}
          hook={openedHook}
          channel={channel}
          isBeside={isAmongAll}
          isTyped={isTyped}
          leave={() => leave(close)}
          close={close}
          changed={reload}
          made={({ id, url }) => renewed(id, url)}
          askNewAddress={inPanel(askNewAddress)}
          askRemoval={inPanel(askRemoval)}
        />
      )}
      {asked && <AskedDialog asked={asked} show={setAsked} changed={reload} />}
      {leaving && <LeaveDialog {...leaving} />}
    </ListSection>
  )
}

interface Named {
  id: number
  name: string
}

/** The hook in the panel or dialog. Another in its place asks first if something typed is lost. */
function useOpenedHook(isBeside: boolean) {
  const [opened, setOpened] = useState<OpenedHook & { turn: number }>()
  const [leaving, setLeaving] = useState<{ stay: () => void; leave: () => void }>()
  const isTyped = useRef(false)
  const stay = () => setLeaving(undefined)
  const next = (opened?.turn ?? 0) + 1
  /** `id`: a hook that stays as it is. */
  const leave = (run: () => void, id?: number) => {
    if (!isBeside || !isTyped.current || (id !== undefined && id === opened?.id)) return run()
    const gone = () => {
      stay()
      setOpened(undefined)
      run()
    }
    setLeaving({ stay, leave: gone })
  }
  return {
    opened,
    leaving,
    isTyped,
    leave,
    /** Undefined: a new one. */
    open(id: number | undefined) {
      if (id === undefined || id !== opened?.id)
        leave(() => setOpened({ turn: next, id, isNew: id === undefined }))
    },
    /** An address that was made now, also that of a new hook. */
    renewed: (id: number, url: string | null) =>
      setOpened(now =>
        now && (now.id === undefined || now.id === id)
          ? { ...now, id, url }
          : { turn: next, id, url, isNew: false },
      ),
    close() {
      setOpened(undefined)
      const row = opened?.id !== undefined && document.getElementById(rowButton(opened.id))
      if (isBeside) (row || document.getElementById('incoming-hooks-make'))?.focus()
    },
  }
}

interface AskedProps {
  asked: Asked
  show: (asked: Asked | undefined) => void
  changed: () => void
}

function AskedDialog({ asked, show, changed }: AskedProps) {
  const texts = strings.hooks
  const close = () => show(undefined)
  switch (asked.kind) {
    case 'try':
      return <TryHookDialog hook={asked.hook} close={close} />
    case 'ask':
      return <AskDialog asked={asked.question} close={close} />
    case 'secret':
      return (
        <MadeSecret
          title={texts.signSecretOf(asked.name)}
          secret={asked.secret}
          once={texts.onceSecret}
          lost={texts.lost}
          close={close}
        />
      )
    case 'sign': {
      const { name } = asked.hook
      return (
        <SignSecretDialog
          hook={asked.hook}
          close={close}
          saved={secret => {
            changed()
            show(secret === undefined ? undefined : { kind: 'secret', name, secret })
            if (secret === undefined) showToast(texts.isSigned(name))
          }}
        />
      )
    }
  }
}
