/** Source of an expression for the paths of a route, which matches where Express fails: it decodes what parameters match. */
export const pathPattern = (path: string): string => path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')
