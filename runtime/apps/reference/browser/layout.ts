import type { Component, Plugin, System } from './swagger.ts';

/** The parts of Swagger UI in one column: what the service is and who is signed in, the search, and the operations. */
const layout =
  ({ React, getComponent }: System): Component =>
  () => {
    const { createElement } = React;
    const part = (name: string, isContainer = false) => createElement(getComponent(name, isContainer));
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      createElement(
        'div',
        { className: 'head' },
        part('InfoContainer', true),
        createElement('div', { className: 'scheme-container' }, part('AuthorizeBtnContainer', true)),
      ),
      part('errors', true),
      part('FilterContainer', true),
      part('operations', true),
    );
  };

/** A link inside of the button that opens an operation could not be reached by everyone. Tags keep theirs. */
const linkOf =
  (original: Component, { React }: System): Component =>
  (props) =>
    String(props['path']).includes('/')
      ? React.createElement('span', null, props['text'])
      : React.createElement(original, props);

/** Arranges the page. */
export const layoutPlugin: Plugin = {
  wrapComponents: { DeepLink: linkOf, BaseLayout: (_, system) => layout(system) },
};
