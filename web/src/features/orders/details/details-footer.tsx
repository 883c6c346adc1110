import { MessageCircle, Phone } from 'lucide-react'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { readPhone } from './phone-number.ts'
import { replyPanelId } from './reply-panel-id.ts'

type DetailsFooterProps = {
  phone: string | null
  /** A message to the customer is being written. */
  writing: boolean
  onWrite: () => void
  onClose: () => void
}

/** Side by side on the narrowest phone, each as wide as its word needs. */
const action = 'grow max-md:px-2.5'

/** What is done most, near the thumb. While a message is written, what sends it is the main button. */
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
