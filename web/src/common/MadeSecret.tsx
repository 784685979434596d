import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../i18n/i18n.ts'
import { ErrorLine } from '../ui/ErrorLine.tsx'
import { copyToClipboard } from './copy-to-clipboard.ts'
import { FormDialog } from './FormDialog.tsx'
import './MadeSecret.css'

interface Props {
  title: string
  /** Null if the response with it was lost. */
  secret: string | null
  /** Why it must be copied now. */
  once: string
  /** Shown in place of a lost one. */
  lost: string
  close: () => void
  /** Below the secret. */
  children?: ComponentChildren
}

/** A secret that is shown this once. Copy has the focus. */
export function MadeSecret({ title, secret, once, lost, close, children }: Props) {
  return (
    <FormDialog title={title} close={close} form={close} label={strings.tokens.kept} cancel={false}>
      {secret === null ? (
        <ErrorLine>{lost}</ErrorLine>
      ) : (
        <>
          <p class="dialog-text">{once}</p>
          <Copied text={secret} isFirst />
          {children}
        </>
      )}
    </FormDialog>
  )
}

interface CopiedProps {
  text: string
  /** Above the text. */
  title?: string
  /** Name of the button, where it is not the first. */
  label?: string
  isFirst?: boolean
}

/** A text with a button that copies it. The first one has the focus. */
export function Copied({ text, title, label, isFirst = false }: CopiedProps) {
  const texts = strings.tokens
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isFirst) button.current!.focus()
  }, [text])
  const copied = (
    <div class="token-secret">
      <code dir="ltr">{text}</code>
      <button
        ref={button}
        type="button"
        class={isFirst ? 'button button-primary' : 'button'}
        autofocus={isFirst}
        aria-label={label}
        onClick={() => void copyToClipboard(text, texts.copied)}
      >
        {texts.copy}
      </button>
    </div>
  )
  if (!title) return copied
  return (
    <div class="field">
      <span class="label">{title}</span>
      {copied}
    </div>
  )
}

interface SecretsProps extends Omit<Props, 'children'> {
  /** The use of the secret. */
  secretMore: string
  /** The second secret, of old handlers. */
  token: string | null | undefined
  warning?: string | undefined
}

/** The two secrets of what calls out. */
export function MadeSecrets({ secretMore, token, warning, ...rest }: SecretsProps) {
  const texts = strings.hooksOut
  return (
    <MadeSecret {...rest}>
      <p class="hint">{secretMore}</p>
      {token && <Copied title={texts.verifyToken} label={texts.copyToken} text={token} />}
      {warning && <ErrorLine>{warning}</ErrorLine>}
    </MadeSecret>
  )
}
