import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'

type CopyButtonProps = { label: string; text: string; primary?: boolean }

/** Puts a text on the clipboard, and says whether that worked. */
export function CopyButton({ label, text, primary = false }: CopyButtonProps) {
  const [done, setDone] = useState<'yes' | 'no' | null>(null)
  const Icon = done === 'yes' ? Check : Copy

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setDone('yes')
    } catch {
      setDone('no')
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button look={primary ? 'primary' : 'secondary'} onClick={() => void copy()}>
        <Icon aria-hidden />
        {label}
      </Button>
      <p role="status" className="text-sm text-muted">
        {done === 'yes' ? 'Negli appunti' : null}
        {done === 'no' ? 'Copia non riuscita: seleziona il testo e copialo a mano.' : null}
      </p>
    </div>
  )
}
