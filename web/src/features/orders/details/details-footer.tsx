import { MessageCircle, Phone } from 'lucide-react'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { readPhone } from './phone-number.ts'
import { replyPanelId } from './reply-panel-id.ts'

type DetailsFooterProps = {
  phone: string | null
  /** The panel for a message to the customer is open. */
  writing: boolean
  onWrite: () => void
  onClose: () => void
}

/** Side by side on the narrowest phone, each as wide as its label. */
const action = 'grow max-md:px-2.5'

/** The most frequent actions. While a message is being written its send button is the primary one. */
export function DetailsFooter({ phone, writing, onWrite, onClose }: DetailsFooterProps) {
  const number = phone === null ? null : readPhone(phone)
  return (
    <>
      {number ? (
        <>
          <Button
            look={writing ? 'secondary' : 'primary'}
            className={action}
            aria-expanded={writing}
            aria-controls={writing ? replyPanelId : undefined}
            onClick={onWrite}
          >
            <MessageCircle aria-hidden />
            WhatsApp
          </Button>
          <a href={number.call} className={`${buttonStyle()} ${action}`}>
            <Phone aria-hidden />
            Chiama
          </a>
        </>
      ) : null}
      <Button className={action} onClick={onClose}>
        Chiudi
      </Button>
    </>
  )
}
