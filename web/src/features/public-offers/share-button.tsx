import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { quiet } from './looks.ts'

const said = {
  copied: 'Link copiato negli appunti.',
  failed: 'Non è stato possibile condividere il link.',
}

/** Shares the offer's URL by the share dialog of the device, or copies it. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const [result, setResult] = useState<keyof typeof said | null>(null)

  async function share() {
    setResult(null)
    const canShare = 'share' in navigator
    try {
      if (canShare) await navigator.share({ title, url })
      else {
        await navigator.clipboard.writeText(url)
        setResult('copied')
      }
    } catch (error) {
      // Closing the share dialog is no failure.
      const left = error instanceof DOMException && error.name === 'AbortError'
      if (!left) setResult('failed')
    }
  }

  return (
    <>
      <button
        type="button"
        className={cn(quiet, 'needs-script -my-1 -ml-3 self-start')}
        onClick={() => {
          void share()
        }}
      >
        <Share2 aria-hidden />
        Condividi
      </button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {result === null ? null : said[result]}
      </p>
    </>
  )
}
