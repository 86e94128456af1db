# One image for every process of the service. It does not run as root.
#
#     docker build --tag haggis .
#     docker build --tag haggis --build-arg PUSH=1 .          include the packages for push notifications
#     docker build --tag haggis --build-arg COMPILED=0 .      plain Python engine, at a third of the speed
#
# Packages come from the index that pip is configured for. To use the pip.conf of this machine, pass
# --secret id=pip_conf,src=/etc/pip.conf; it is not stored in the image.

ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /srv/haggis

ARG PUSH=0
COPY requirements.lock requirements-push.lock ./
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf,required=false \
    python -m venv /opt/haggis \
    && /opt/haggis/bin/python -m pip install --require-hashes \
        --requirement "$([ "$PUSH" = 1 ] && echo requirements-push.lock || echo requirements.lock)"

COPY manage.py pyproject.toml ./
COPY engine engine
COPY games games
COPY haggis_service haggis_service
COPY examples examples

# The compiler and its packages remain in this stage; only the compiled modules are copied to the final image.
ARG COMPILED=1
COPY requirements-dev.lock ./
COPY tools tools
RUN --mount=type=secret,id=pip_conf,target=/etc/pip.conf,required=false \
    if [ "$COMPILED" = 1 ]; then \
        apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev \
        && python -m venv /tmp/compiler \
        && /tmp/compiler/bin/python -m pip install --require-hashes --requirement requirements-dev.lock \
        && /tmp/compiler/bin/python tools/compile_engine.py build; \
    fi \
    && rm -rf build tools requirements*.lock

# Collect static files under hashed names. The production settings require these variables, but none of the values is stored.
ENV HAGGIS_STATIC_ROOT=/srv/haggis/static
RUN DJANGO_SETTINGS_MODULE=haggis_service.settings.production \
    HAGGIS_SECRET_KEY="$(/opt/haggis/bin/python -c 'import secrets; print(secrets.token_urlsafe(50))')" \
    HAGGIS_ALLOWED_HOSTS=localhost DATABASE_URL=postgres://none/none REDIS_URL=redis://none/0 \
    /opt/haggis/bin/python manage.py collectstatic --no-input --verbosity 0

FROM python:${PYTHON}-slim
RUN useradd --system --uid 10001 --no-create-home haggis
COPY --from=build /opt/haggis /opt/haggis
COPY --from=build /srv/haggis /srv/haggis
WORKDIR /srv/haggis
USER haggis
ENV PATH=/opt/haggis/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HAGGIS_STATIC_ROOT=/srv/haggis/static \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1 \
    DJANGO_SETTINGS_MODULE=haggis_service.settings.production
CMD ["python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
