# One image for every process of the service. It does not run as root.
#
#     docker build --tag haggis .
#     docker build --tag haggis --build-arg PUSH=1 .          include the packages for push notifications
#     docker build --tag haggis --build-arg PARQUET=1 .       include the package that writes Parquet
#     docker build --tag haggis --build-arg COMPILED=0 .      plain Python engine, at a third of the speed
#     make image                                              build it without Docker, with buildah
#
# Packages come from the index that pip is configured for. To use the pip.conf and the certificates of this machine, pass
# --secret id=pip_conf,src=/etc/pip.conf --secret id=certificates,src=/etc/ssl/certs/ca-certificates.crt; they are not stored
# in the image. To pin the base images by content, pass --build-arg BASE=python:3.13.15-slim-trixie@sha256:... (see
# docker-compose.yml for why no digest is written here).

# The first has a compiler and the headers of Python, the second neither. Both need the same Python.
ARG BUILD_BASE=python:3.13.15-trixie
ARG BASE=python:3.13.15-slim-trixie

FROM ${BUILD_BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /srv/haggis

ARG PUSH=0
ARG PARQUET=0
COPY requirements.lock requirements-push.lock requirements-parquet.lock ./
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf,required=false \
    --mount=type=secret,id=certificates,target=/etc/ssl/certs/ca-certificates.crt,required=false \
    python3 -m venv /opt/haggis \
    && /opt/haggis/bin/python -m pip install --require-hashes \
        --requirement "$([ "$PUSH" = 1 ] && echo requirements-push.lock || echo requirements.lock)" \
        --requirement "$([ "$PARQUET" = 1 ] && echo requirements-parquet.lock || echo requirements.lock)" \
    && /opt/haggis/bin/python -m pip uninstall --yes pip \
    # No process reads the tests of packages, nor their translations into languages that the service does not offer.
    && find /opt/haggis -type d -name tests -prune -exec rm -rf {} + \
    && find /opt/haggis -type d -path "*/locale/*" -prune -not -path "*/locale/en*" -not -path "*/locale/de*" \
        -not -path "*/locale/fr*" -not -path "*/locale/es*" -exec rm -rf {} +

COPY manage.py pyproject.toml ./
COPY engine engine
COPY games games
COPY haggis_service haggis_service
COPY examples examples

# The compiler, mkdocs and their packages remain in this stage; only the compiled modules and the documentation are copied to
# the final image.
ARG COMPILED=1
COPY requirements-dev.lock mkdocs.yml ./
COPY tools tools
COPY docs docs
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf,required=false \
    --mount=type=secret,id=certificates,target=/etc/ssl/certs/ca-certificates.crt,required=false \
    python3 -m venv /tmp/tools \
    && /tmp/tools/bin/python -m pip install --require-hashes --requirement requirements-dev.lock \
    && if [ "$COMPILED" = 1 ]; then /tmp/tools/bin/python tools/compile_engine.py build; fi \
    && rm -rf .mypy_cache build \
    && NO_MKDOCS_2_WARNING=1 /tmp/tools/bin/mkdocs build --strict --quiet \
    && rm -rf tools docs mkdocs.yml requirements*.lock

# Collect static files under hashed names. The production settings require these variables, but none of the values is stored.
ENV HAGGIS_STATIC_ROOT=/srv/haggis/static
RUN DJANGO_SETTINGS_MODULE=haggis_service.settings.production \
    HAGGIS_SECRET_KEY="$(/opt/haggis/bin/python -c 'import secrets; print(secrets.token_urlsafe(50))')" \
    HAGGIS_ALLOWED_HOSTS=localhost DATABASE_URL=postgres://none/none REDIS_URL=redis://:none@none/0 \
    /opt/haggis/bin/python manage.py collectstatic --no-input --verbosity 0 \
    && /opt/haggis/bin/python -m compileall -q engine games haggis_service \
    # Static files are served from the collected ones.
    && find /opt/haggis -type d -name static -path "*/drf_spectacular_sidecar/*" -prune -exec rm -rf {} +

FROM ${BASE}
# The folder is for the files of the data set: a volume that is mounted there belongs to the user.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin haggis \
    && install --directory --owner 10001 /exports
COPY --from=build /opt/haggis /opt/haggis
COPY --from=build /srv/haggis /srv/haggis
WORKDIR /srv/haggis
# A number, so that Kubernetes can see that it is not root (runAsNonRoot).
USER 10001
ENV PATH=/opt/haggis/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HAGGIS_STATIC_ROOT=/srv/haggis/static \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1 \
    DJANGO_SETTINGS_MODULE=haggis_service.settings.production
CMD ["python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
