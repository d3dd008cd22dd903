import type { Feature } from '../../kernel/feature.ts';
import { sibling } from '../../threads/sibling.ts';
import { couriersOf } from '../delivery/courier.ts';
import { webhookSettings } from './settings.ts';

/** URLs of others get events. */
export const webhooks: Feature = {
  name: 'webhooks',
  needs: ['delivery', 'organizations', 'trail'],
  settings: webhookSettings,
  commands: { webhooks: () => import('./command.ts') },
  start: async (running) => {
    const { WEBHOOK_PRIVATE: data } = running.settings(webhookSettings);
    couriersOf(running).push({ module: sibling('post', import.meta).href, data });
  },
};
