import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useState } from 'preact/hooks'
import type { IncomingHookPayload } from '#shared/domain/payloads/hooks.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import type { Failure } from '../../net/requests/failure.ts'
import { changeIncomingHook, type IncomingHookDraft, makeIncomingHook } from '../../net/requests/hooks.ts'
import { nameOf } from '../../store/channels/names.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { mayAdminister } from './admin-pages.ts'
import { CheckBox } from './CheckBox.tsx'
import { HookAddress } from './HookAddress.tsx'
import { HookFrame } from './HookFrame.tsx'
import { LastCalls } from './LastCalls.tsx'
import { hookChannels } from './managed-channels.ts'
import { TextArea } from './TextArea.tsx'
import { TryAddress } from './TryAddress.tsx'
import './HookPanel.css'

const LONGEST = { name: 80, template: 2_000 }

/** A hook in the panel or dialog. */
export interface OpenedHook {
  /** Undefined until it is made. */
  id: number | undefined
  isNew: boolean
  /** Its address if it was made just now; null: the response with it was lost. */
  url?: string | null | undefined
}

interface Props extends OpenedHook {
  /** As it is listed. */
  hook: IncomingHookPayload | undefined
  /** The channel of a new one; undefined: it is chosen. */
  channel: ChannelId | undefined
  /** In a panel; else in a dialog. */
  isBeside: boolean
  /** Whether closing loses something typed. */
  isTyped: RefObject<boolean>
  /** Asks first if something typed is lost. */
  leave: () => void
  close: () => void
  /** Something of the hook is new to the list. */
  changed: () => void
  made: (made: { id: number; url: string | null }) => void
  /** Both are questions; undefined where they have no room. */
  askNewAddress: (() => void) | undefined
  askRemoval: (() => void) | undefined
}

type Draft = Required<IncomingHookDraft>

/** Name, channel, template and rights of a hook; its address once, with a request that tries it; its last calls. */
export function HookPanel(props: Props) {
  const { id, isNew, url, hook, channel: fixed, isBeside, isTyped, leave, close, changed, made } = props
  const { askNewAddress, askRemoval } = props
  const [draft, setDraft] = useState(() => draftOf(hook, fixed))
  const body = bodyOf(draft)
  const [saved, setSaved] = useState(body)
  const isChanged = JSON.stringify(body) !== JSON.stringify(saved)
  // Set before the next key.
  useLayoutEffect(() => {
    isTyped.current = isChanged
    return () => {
      isTyped.current = false
    }
  }, [isChanged])
  const [tries, setTries] = useState(0)
  const sent = () => {
    setTries(before => before + 1)
    changed()
  }
  const attempt = useClientId()
  const texts = strings.hooks
  const form = useSubmit({
    check: () => (draft.name.trim() === '' ? { field: 'name', sentence: texts.nameIt } : undefined),
    async send() {
      if (id !== undefined && isChanged) await changeIncomingHook(id, body)
      const response =
        id === undefined && (await makeIncomingHook({ ...body, client_id: attempt.idOf(body) }))
      changed()
      if (!response) return close()
      setSaved(body)
      made(response)
    },
    whyNot(failure) {
      if (failure.status === 404) changed()
      return problemOf(failure, saved.name)
    },
  })
  useEffect(() => {
    if (isNew) form.element.current?.querySelector<HTMLElement>('[name=name]')?.focus()
  }, [])
  const set = (change: Partial<Draft>) => {
    setDraft(before => ({ ...before, ...change }))
    form.clear(Object.keys(change)[0])
  }
  return (
    <HookFrame
      isBeside={isBeside}
      title={isNew ? texts.make : saved.name}
      leave={leave}
      form={form}
      label={id === undefined ? texts.makeIt : isChanged ? strings.save : strings.tokens.kept}
      discard={isNew && id !== undefined ? askRemoval : isNew || isChanged ? close : undefined}
    >
      <div class="hook-part">
        <Fields
          draft={draft}
          set={set}
          form={form}
          hook={hook}
          isMade={id !== undefined}
          isFixed={fixed !== undefined}
        />
      </div>
      {id !== undefined && (isBeside || url !== undefined) && (
        <HookAddress url={url} askNew={askNewAddress} />
      )}
      {typeof url === 'string' && (
        <TryAddress key={url} url={url} channel={saved.channel} template={saved.template} sent={sent} />
      )}
      {id !== undefined && <LastCalls id={id} changes={tries} />}
    </HookFrame>
  )
}

interface FieldsProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  form: { problemOf: (field: string) => string }
  hook: IncomingHookPayload | undefined
  isMade: boolean
  isFixed: boolean
}

function Fields({ draft, set, form, hook, isMade, isFixed }: FieldsProps) {
  const id = useId()
  const texts = strings.hooks
  const { name, channel } = draft
  return (
    <>
      <Field
        name="name"
        label={texts.name}
        hint={isMade ? undefined : texts.nameHint}
        mark={
          <span class="hook-mark">
            <Avatar name={hook?.bot ?? name} size={40} />
          </span>
        }
        value={name}
        maxLength={LONGEST.name}
        problem={form.problemOf('name')}
        set={value => set({ name: value })}
      />
      {!isFixed && (
        <div class="field">
          <label for={`${id}-channel`}>{texts.channel}</label>
          <Select id={`${id}-channel`} value={channel} choose={one => set({ channel: one })}>
            {hookChannels(channel).map(one => (
              <option key={one} value={one}>
                {nameOf(one)}
              </option>
            ))}
          </Select>
        </div>
      )}
      <More draft={draft} set={set} problem={form.problemOf('template')} />
    </>
  )
}

function More({ draft, set, problem }: Pick<FieldsProps, 'draft' | 'set'> & { problem: string }) {
  const { template, may_choose_channel: mayChoose, may_mention_everyone: mayTell } = draft
  const [isOpen] = useState(template !== null || mayChoose || mayTell)
  const texts = strings.hooks
  return (
    <details class="integrations-more" open={isOpen}>
      <summary>{texts.advanced}</summary>
      <TextArea
        name="template"
        label={texts.template}
        hint={texts.templateHint}
        value={template ?? ''}
        rows={4}
        maxLength={LONGEST.template}
        isCode
        problem={problem}
        set={value => set({ template: value || null })}
      />
      {mayAdminister() && (
        <>
          <CheckBox
            label={texts.mayChoose}
            hint={texts.mayChooseHint}
            checked={mayChoose}
            set={on => set({ may_choose_channel: on })}
          />
          <CheckBox
            label={texts.mayTell}
            hint={texts.mayTellHint}
            checked={mayTell}
            set={on => set({ may_mention_everyone: on })}
          />
        </>
      )}
    </details>
  )
}

function draftOf(hook: IncomingHookPayload | undefined, fixed: ChannelId | undefined): Draft {
  return {
    name: hook?.name ?? '',
    channel: hook?.channel ?? fixed ?? hookChannels()[0] ?? '',
    template: hook?.template ?? null,
    may_choose_channel: hook?.may_choose_channel ?? false,
    may_mention_everyone: hook?.may_mention_everyone ?? false,
  }
}

/** The rights are named by administrators alone. */
function bodyOf({ name, channel, template, ...rights }: Draft): IncomingHookDraft {
  return {
    name: name.trim(),
    channel,
    template: template?.trim() || null,
    ...(mayAdminister() && rights),
  }
}

function problemOf({ code, status, message }: Failure, name: string): Problem {
  const texts = strings.hooks
  if (status === 409) return { sentence: texts.tooMany }
  if (message === 'There is no such hook.') return { sentence: strings.administration.isRemoved(name) }
  if (code === 'forbidden' || status === 404) return { sentence: texts.notAllowed }
  if (message.startsWith('template')) return { field: 'template', sentence: texts.badTemplate }
  return status === 400 ? { field: 'name', sentence: texts.badName } : { sentence: texts.notSaved }
}
