import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

type OtherCodeNoticeProps = {
  onFind: () => void
  onKeep: () => void
}

/** Asks for a picture of its own after a code has changed. */
export function OtherCodeNotice({ onFind, onKeep }: OtherCodeNoticeProps) {
  return (
    <Alert
      tone="notice"
      action={
        <>
          <Button size="small" onClick={onFind}>
            Cerca la sua immagine
          </Button>
          <Button size="small" onClick={onKeep}>
            Tieni questa
          </Button>
        </>
      }
    >
      L'immagine è del codice di prima: questo codice ne vuole una sua.
    </Alert>
  )
}
