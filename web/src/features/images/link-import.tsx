import { type RefObject, type SyntheticEvent, useState } from 'react'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { pictureLink } from './use-drop-and-paste.ts'

type LinkImportProps = {
  /** A rejected URL, to be corrected. */
  refused: string
  onLink: (url: string) => void
  onClose: () => void
  focusFallback: RefObject<HTMLElement | null>
}

/** Field for the URL of a picture; phones cannot paste without one. */
export function LinkImport({ refused, onLink, onClose, focusFallback }: LinkImportProps) {
  const place = useFocusFallback(focusFallback)
  const [text, setText] = useState(refused)
  const [error, setError] = useState<string | undefined>()

  function send(event: SyntheticEvent) {
    event.preventDefault()
    const link = pictureLink(text)
    if (link === null) setError('Scrivi un indirizzo che comincia con https://')
    else onLink(link)
  }

  return (
    <div ref={place} className="flex flex-col gap-2">
      <TextField
        label="Indirizzo dell'immagine"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        // Opened by the button before it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        error={error}
        onChange={({ target }) => {
          setText(target.value)
          setError(undefined)
        }}
        // May be inside a form: Enter applies to this field only.
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(event)
          if (event.key === 'Escape') onClose()
        }}
      />
      <div className="flex gap-2">
        <Button look="primary" onClick={send}>
          Importa
        </Button>
        <Button onClick={onClose}>Chiudi</Button>
      </div>
    </div>
  )
}
