// Generated from spec/crm/message.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A message, which is only created. */
export interface Message {
  readonly id: string;
  text: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type MessageCreate = client.Creatable<Message>;

/** The operations of `/api/crm/message`. */
export const messageOperations = (requests: client.Requests) => {
  const path = '/api/crm/message';
  return {
    /** Create a message. */
    create: client.create<Message, MessageCreate>(requests, path),
  };
};
