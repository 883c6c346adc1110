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
  /** There is no room beside it: that it worked is said by its sign alone. */
  brief?: boolean
}

/**
 * Puts a text on the clipboard, and says whether that worked, for as long as it is still that text. Nothing to
 * copy: it rests.
 */
export function CopyButton({ label, text, primary = false, brief = false }: CopyButtonProps) {
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
        // Empty, it must not take the gap before it.
        className={cn('text-sm text-muted empty:absolute', brief && done === 'yes' && 'sr-only')}
      >
        {done === 'yes' ? 'Negli appunti' : null}
        {done === 'no' ? FAILED : null}
      </p>
    </div>
  )
}

/** So long its sign says that the text was copied: then it may be another. */
const SIGN_MS = 2_000

/** The same as a sign alone, for the end of a field. Nothing to copy: it rests. */
export function CopySign({ label, text }: Pick<CopyButtonProps, 'label' | 'text'>) {
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return undefined
    const timer = setTimeout(() => setCopied(0), SIGN_MS)
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
        {copied > 0 ? 'Negli appunti' : null}
      </span>
    </>
  )
}
