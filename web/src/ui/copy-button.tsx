import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { cn } from './class-names.ts'
import { toastError } from './toast.ts'

const FAILED = 'Copia non riuscita: seleziona il testo e copialo a mano.'

type CopyButtonProps = {
  label: string
  text: string
  primary?: boolean
  /** What is said when it was copied. */
  copied?: string
  /** Show success by the icon only, where there is no room for a text. */
  iconOnly?: boolean
}

/** Copies a text to the clipboard and reports the result until the text changes. Inactive when the text is empty. */
export function CopyButton({ label, text, ...options }: CopyButtonProps) {
  const { primary = false, iconOnly = false, copied = 'Copiato' } = options
  const [last, setLast] = useState<{ text: string; done: 'yes' | 'no' } | null>(null)
  const done = last?.text === text ? last.done : null
  const Icon = done === 'yes' ? Check : Copy

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setLast({ text, done: 'yes' })
    } catch {
      setLast({ text, done: 'no' })
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        look={primary ? 'primary' : 'secondary'}
        inactive={text === ''}
        onClick={() => void copy()}
      >
        <Icon aria-hidden />
        {label}
      </Button>
      <p
        role="status"
        // An empty element must not take up a gap.
        className={cn('text-sm text-muted empty:absolute', iconOnly && done === 'yes' && 'sr-only')}
      >
        {done === 'yes' ? copied : null}
        {done === 'no' ? FAILED : null}
      </p>
    </div>
  )
}

/** Time for which the icon shows that the text was copied. */
const COPIED_MS = 2_000

/** An icon button that copies a text, for the end of a field. Inactive when the text is empty. */
export function CopyIconButton({ label, text }: Pick<CopyButtonProps, 'label' | 'text'>) {
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return undefined
    const timer = setTimeout(() => setCopied(0), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const Icon = copied > 0 ? Check : Copy

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(copied + 1)
    } catch {
      toastError(FAILED, { about: 'copy' })
    }
  }

  return (
    <>
      <Button
        look="quiet"
        size="square"
        aria-label={label}
        inactive={text === ''}
        onClick={() => void copy()}
      >
        <Icon aria-hidden />
      </Button>
      <span role="status" className="sr-only">
        {copied > 0 ? 'Copiato' : null}
      </span>
    </>
  )
}
